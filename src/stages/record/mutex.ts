export type Mutex = <T>(act: () => Promise<T>) => Promise<T>;

/** For what is not to be asked twice at once: each begins when the one before it has ended, however. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine;
    return mine;
  };
}

/** The same, for what does not begin any more once one of them has failed: all after it fail alike. */
export function createFailFastMutex(): Mutex {
  const turn = createMutex();
  let failed: { readonly error: unknown } | undefined;
  return (act) =>
    turn(async () => {
      if (failed !== undefined) throw failed.error;
      try {
        return await act();
      } catch (error) {
        failed = { error };
        throw error;
      }
    });
}
