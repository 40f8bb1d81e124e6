import { activeRows } from './active-rows.ts';
import { tryRows } from './try-rows.ts';

tryRows(activeRows);
