import asyncHooks from 'node:async_hooks';
import { types } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Keeps the storages of a suite from costing what they cost otherwise: once one is used, each promise is passed to it,
 * and those of ended suites keep their modules in memory. jest's runner makes the first one of a suite, to know which
 * test is running; a variable says that as well. Only where tests of a suite run at once, an error that none of them
 * handles may be reported of another one of them. The other storages end with the suite.
 */
export default class CleanEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.endStorages = replaceStorages(asyncHooks);
  }

  async teardown() {
    this.endStorages?.();
    await super.teardown();
  }
}

/**
 * From now on the first storage that is made is a plain one, and each further one is noted, until the function that is
 * returned ends them all.
 * @param {{ AsyncLocalStorage: typeof asyncHooks.AsyncLocalStorage }} hooks
 */
export function replaceStorages(hooks) {
  const original = hooks.AsyncLocalStorage;
  /** @type {Set<asyncHooks.AsyncLocalStorage<unknown>>} */
  const noted = new Set();
  let isFirst = true;
  const value = new Proxy(original, {
    construct(target, given, newTarget) {
      if (isFirst) {
        isFirst = false;
        return new PlainStorage();
      }
      const made = Reflect.construct(target, given, newTarget);
      noted.add(made);
      return made;
    },
  });
  // From Node 22 on it has a getter alone.
  Object.defineProperty(hooks, 'AsyncLocalStorage', { value, configurable: true, writable: true });
  return () => {
    Object.defineProperty(hooks, 'AsyncLocalStorage', { value: original });
    for (const one of noted) one.disable();
  };
}

/** A storage for callbacks that run one after another, and inside each other. */
class PlainStorage {
  /** @type {unknown} */
  #store;

  getStore() {
    return this.#store;
  }

  /** @param {unknown} store @param {() => unknown} callback @returns {unknown} what the callback returns */
  run(store, callback) {
    const outer = this.#store;
    const restore = () => {
      this.#store = outer;
    };
    this.#store = store;
    /** @type {unknown} */
    let result;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    // A suite has a Promise of its own.
    if (types.isPromise(result)) return result.finally(restore);
    restore();
    return result;
  }
}
