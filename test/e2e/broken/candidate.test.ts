import { candidateRows } from './candidate-rows.ts';
import { tryRows } from './try-rows.ts';

tryRows(candidateRows);
