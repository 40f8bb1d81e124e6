import { sourceRows } from './state-rows.ts';
import { tryRows } from './try-rows.ts';

tryRows(sourceRows);
