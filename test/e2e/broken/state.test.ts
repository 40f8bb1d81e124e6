import { stateRows } from './state-rows.ts';
import { tryRows } from './try-rows.ts';

tryRows(stateRows);
