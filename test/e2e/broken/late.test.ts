import { lateRows } from './late-rows.ts';
import { tryRows } from './try-rows.ts';

tryRows(lateRows);
