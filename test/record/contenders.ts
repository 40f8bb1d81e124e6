import { setImmediate } from 'node:timers/promises';
import type { DeploymentId } from '../../src/domain/shard.ts';
import type { Parameter } from '../../src/ports/state-store.ts';
import { takeLock } from '../../src/stages/record/lock/lock.ts';
import type { HeldLock } from '../../src/stages/record/lock/lock-handle.ts';
import { endOf, LockParameter, unanswered } from './lock-parameter.ts';
import { quietLog } from './parameter-store.ts';

/** Trouble of a call in a schedule, besides its order. */
export type Trouble = 'stale' | 'death' | 'lost' | 'late' | 'twice';

export interface Schedule {
  /** Chooses one of several next steps. The first one disturbs no contender. */
  choose(options: number): number;
  readonly troubles: readonly Trouble[];
  /** Whether an operator takes the lock from its owner. */
  readonly byHand?: boolean;
  readonly contenders: number;
}

interface Contender {
  readonly name: string;
  isAlive: boolean;
  /** Whether the contender is between taking the lock and its last effect. */
  isAtWork: boolean;
  isOver: boolean;
  ended: string;
}

interface Step {
  readonly of: Contender | undefined;
  readonly act: () => void;
}

const name = 'lock';

/**
 * Runs the real lock over one parameter that behaves like AWS's: versions have no gap, and all else
 * may be late. The schedule chooses the next call.
 */
export class Contest {
  readonly violations: string[] = [];
  readonly contenders: Contender[] = [];
  readonly parameter = new LockParameter();
  now = Date.parse('2026-11-02T08:00:00.000Z');
  readonly #schedule: Schedule;
  #pending: Step[] = [];
  #last: Contender | undefined;
  #nonces = 0;
  #undisturbed = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Runs all contenders until no step is left, then one more without disturbance. */
  async play(): Promise<void> {
    const { contenders, byHand = false } = this.#schedule;
    for (let index = 1; index <= contenders; index += 1)
      this.begin(`c${index}`, { byHand: byHand && index === contenders });
    await this.run();
    await this.afterwards();
  }

  async afterwards(): Promise<void> {
    const since = this.now;
    const last = this.begin('last', { byHand: false });
    await this.run({ undisturbed: true });
    if (last.ended !== 'done') this.violations.push(`who comes last is ${last.ended}`);
    if (this.now - since > 5000) this.violations.push(`who comes last waits ${this.now - since}ms`);
    if (this.parameter.holder() !== undefined)
      this.violations.push(`${this.parameter.holder()} owns it in the end`);
  }

  begin(called: string, { byHand }: { byHand: boolean }): Contender {
    const contender = { name: called, isAlive: true, isAtWork: false, isOver: false, ended: '' };
    this.contenders.push(contender);
    this.#work(contender, byHand).then(
      () => this.#end(contender, 'done'),
      (error: unknown) => this.#end(contender, endOf(error)),
    );
    return contender;
  }

  /** Runs until no step is left. */
  async run({ undisturbed = false } = {}): Promise<void> {
    this.#undisturbed = undisturbed;
    for (;;) {
      await setImmediate();
      this.#pending = this.#pending.filter(({ of }) => of?.isAlive !== false);
      if (this.#pending.length === 0) return;
      const same = this.#pending.findIndex(({ of }) => of !== undefined && of === this.#last);
      const [first] = this.#pending.splice(Math.max(0, same), 1);
      const offered = first === undefined ? this.#pending : [first, ...this.#pending];
      const chosen = undisturbed ? 0 : this.#schedule.choose(offered.length);
      const step = offered[chosen];
      this.#pending = offered.filter((one) => one !== step);
      if (step?.of !== undefined) this.#last = step.of;
      step?.act();
    }
  }

  async #work(contender: Contender, byHand: boolean): Promise<void> {
    const ports = this.#portsOf(contender);
    const lock = await takeLock({
      ports: ports as never,
      uncancelled: ports as never,
      parameter: name,
      runner: 'linux',
      stage: 'provision',
      run: {
        ci: 'gitlab',
        deploymentId: contender.name as DeploymentId,
        pipelineCreatedAt: '',
        jobId: contender.name,
        by: contender.name,
      },
      byHand,
      log: quietLog(),
    });
    contender.isAtWork = true;
    this.#judge(contender);
    await this.#effects(contender, lock);
    contender.isAtWork = false;
    await lock.release(ports as never, 1);
  }

  async #effects(contender: Contender, lock: HeldLock): Promise<void> {
    for (let effect = 1; effect <= 2; effect += 1) {
      await lock.confirm();
      this.#judge(contender);
    }
  }

  #judge({ name: own }: Contender): void {
    const { byHand = false } = this.#schedule;
    const holder = this.parameter.holder();
    if (holder !== own) this.violations.push(`${own} is at work, and ${holder} owns the lock`);
    const others = this.contenders.filter((one) => one.isAtWork && one.isAlive && one.name !== own);
    for (const { name: other } of byHand ? [] : others)
      this.violations.push(`${own} and ${other} are at work`);
  }

  #end(contender: Contender, how: string): void {
    contender.ended = how;
    contender.isOver = true;
    contender.isAtWork = false;
  }

  #portsOf(contender: Contender) {
    return {
      clock: {
        now: () => this.now,
        elapsed: () => this.now,
        sleep: (ms: number) =>
          this.#step(contender, () => {
            this.now += ms;
          }),
      },
      random: {
        id: () => {
          this.#nonces += 1;
          return `n${this.#nonces}`;
        },
      },
      processes: {
        self: contender.name,
        host: 'machine',
        find: () => undefined,
        isAlive: (process: string) =>
          this.contenders.some((one) => one.name === process && one.isAlive && !one.isOver)
            ? 'alive'
            : 'dead',
      },
      pipelines: {},
      parameters: {
        find: () => this.#read(contender, (seen) => seen.at(-1)),
        listVersions: () => this.#read(contender, (seen) => (seen.length === 0 ? undefined : seen)),
        create: ({ value }: { value: string }) =>
          this.#write(contender, () =>
            this.parameter.versions.length > 0
              ? { kind: 'taken' }
              : { kind: 'created', version: this.parameter.append(value) },
          ),
        overwrite: ({ value }: { value: string }) =>
          this.#write(contender, () => ({ version: this.parameter.append(value) })),
      },
    };
  }

  #read<T>(contender: Contender, shown: (seen: readonly Parameter[]) => T): Promise<T> {
    return this.#step(contender, () => {
      const trouble = this.#trouble(['stale', 'death']);
      if (trouble === 'death') this.#kill(contender);
      const behind = trouble === 'stale' ? 1 + this.#schedule.choose(2) : 0;
      return shown(this.parameter.before(behind));
    });
  }

  #write<T>(contender: Contender, act: () => T): Promise<T> {
    return this.#step(contender, () => {
      const trouble = this.#trouble(['death', 'lost', 'late', 'twice']);
      const later = () => this.#pending.push({ of: undefined, act: () => void act() });
      if (trouble === 'late') {
        later();
        throw unanswered();
      }
      const answer = act();
      if (trouble === 'twice') later();
      if (trouble === 'lost') throw unanswered();
      if (trouble === 'death') this.#kill(contender);
      return answer;
    });
  }

  #kill(contender: Contender): void {
    contender.isAlive = false;
    contender.isAtWork = false;
    contender.ended = 'killed';
  }

  #trouble(possible: readonly Trouble[]): Trouble | undefined {
    if (this.#undisturbed) return undefined;
    const own = this.#schedule.troubles.filter((one) => possible.includes(one));
    return own.length === 0 ? undefined : own[this.#schedule.choose(own.length + 1) - 1];
  }

  #step<T>(of: Contender, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.push({
        of,
        act: () => {
          try {
            const value = act();
            if (of.isAlive) resolve(value);
          } catch (error) {
            reject(error as Error);
          }
        },
      });
    });
  }
}
