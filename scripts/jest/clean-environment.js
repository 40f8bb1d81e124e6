import asyncHooks from 'node:async_hooks';
import { types } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Avoids the cost of AsyncLocalStorage in suites. Once a storage is used, every promise is passed
 * to it. Storages of ended suites keep their modules in memory. The first storage of a suite, with
 * which jest's runner knows the running test, is replaced by a plain variable. If tests of a suite
 * run concurrently, an unhandled error may then be reported for the wrong test. Other storages end
 * with the suite.
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
 * Replaces the first storage by a plain one, and notes all later ones. The returned function ends
 * them.
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
  // From Node 22 on, the property has only a getter.
  Object.defineProperty(hooks, 'AsyncLocalStorage', { value, configurable: true, writable: true });
  return () => {
    Object.defineProperty(hooks, 'AsyncLocalStorage', { value: original });
    for (const one of noted) one.disable();
  };
}

/** Storage for callbacks that run one after another, or nested. */
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
    // A suite has a different Promise class.
    if (types.isPromise(result)) return result.finally(restore);
    restore();
    return result;
  }
}
