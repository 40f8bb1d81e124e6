import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/**
 * Size of the young generation. A schedule leaves megabytes of garbage, and a large space reduces
 * copying.
 */
const maxYoungGenerationSizeMb = 128;

/** Worker threads that each run the same file and perform one task after another. */
export interface Workers<Task, Answer> {
  readonly size: number;
  work(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

export function startWorkers<Task, Answer>(
  file: URL,
  { size = availableParallelism(), workerData }: { size?: number; workerData?: unknown } = {},
): Workers<Task, Answer> {
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  const workers = Array.from(
    { length: size },
    () => new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb } }),
  );
  idle.push(...workers);

  function free(worker: Worker): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  }

  return {
    size,
    async work(task) {
      const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
      try {
        return await new Promise<Answer>((resolve, reject) => {
          worker.once('error', reject);
          worker.once('message', (answer: Answer) => {
            worker.off('error', reject);
            resolve(answer);
          });
          worker.postMessage(task);
        });
      } finally {
        free(worker);
      }
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Performs every task of a worker. */
export function performTasks<Task, Answer>(answer: (task: Task) => Promise<Answer>): void {
  if (isMainThread) throw new Error('only a worker serves');
  parentPort?.on('message', (task: Task) => {
    answer(task).then(
      (value) => parentPort?.postMessage(value),
      (error: unknown) => {
        throw error;
      },
    );
  });
}
