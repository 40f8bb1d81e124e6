import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { type Customers, openForBusiness } from '../by-hand/world/customers.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import type { Strikes } from './kills.ts';
import { type Struck, strikeAt } from './requests.ts';
import { remember } from './snapshot.ts';

export const stages = [
  'prepare',
  'onboard',
  'provision',
  'shutdown',
  'cleanup',
  'finalize',
] as const;
export type Stage = (typeof stages)[number];

/** Delays of the world itself, without an effect on decisions. */
const quick = { bootDelayMs: 20, checkIntervalMs: 400, traceIntervalMs: 400, resourceMs: 1 };
const set = [
  'drain.poll_of_runner=500ms',
  'drain.confirmation=500ms',
  'drain.poll=300ms',
  'healthcheck.poll=500ms',
];
const windows = { recreateAfterMs: 50 };

export interface Troubles {
  readonly wrong: readonly string[];
  readonly lost: readonly string[];
  readonly unavailable: readonly string[];
}

/**
 * World with deployment after deployment under customer jobs, and each stage struck in each
 * deployment.
 */
export class StruckWorld {
  readonly #world: World;
  readonly #strikes: Readonly<Record<Stage, Strikes>>;
  /** Kills in this deployment, for a failure message. */
  #told: string[] = [];

  private constructor(world: World, strikes: Readonly<Record<Stage, Strikes>>) {
    this.#world = world;
    this.#strikes = strikes;
  }

  /** Runs deployments until each request of every stage was struck. */
  static async run(strikes: Readonly<Record<Stage, Strikes>>): Promise<Troubles> {
    const world = await openWorld({ behaviour: quick, windows });
    const deployments = new StruckWorld(world, strikes);
    let customers: Customers | undefined;
    try {
      await deployments.#finish('deploy');
      customers = openForBusiness(world, { everyMs: 2500, longSeconds: 0.6 });
      const wrong: string[] = [];
      while (stages.some((stage) => strikes[stage].hasLeft)) {
        await deployments.#deployStruck();
        const found = whatIsWrongAtRest(world);
        if (found.length > 0) wrong.push(...deployments.#told, ...found);
      }
      const { lost, unavailable } = await customers.finish();
      return { wrong, lost, unavailable };
    } finally {
      customers?.close();
      await world.close();
    }
  }

  async #deployStruck(): Promise<void> {
    this.#told = [];
    for (const stage of ['prepare', 'onboard', 'provision', 'shutdown'] as const) {
      const end = await this.#strike(stage);
      // `provision` includes `onboard`.
      if (end === 'killed' || (end === 'whole' && stage !== 'onboard')) await this.#finish(stage);
    }
    const last = this.#strikes.cleanup.hasLeft ? 'cleanup' : 'finalize';
    const end = await this.#strike(last);
    // `finalize` finishes a killed cleanup, as in both CIs.
    if (end !== 'ended') await this.#finish('finalize');
  }

  /**
   * Kills a stage at request after request while its changes can be undone. A read leaves the same
   * world as the request before it, and a run has already continued from that world.
   */
  async #strike(stage: Stage): Promise<'killed' | 'ended' | 'whole'> {
    for (;;) {
      const nth = this.#strikes[stage].take();
      if (nth === undefined) return 'whole';
      const before = remember(this.#world);
      const struck = await this.#strikeAt(stage, nth);
      this.#strikes[stage].end(nth, struck?.name);
      if (struck === undefined) return 'ended';
      if (struck.isEffect || !struck.isMendable || !before.putBack()) return 'killed';
    }
  }

  /** Returns the struck request; undefined if the run ended before it. */
  async #strikeAt(stage: Stage, nth: number): Promise<Struck | undefined> {
    const running = this.#world.start({ args: [stage, '--runner', 'linux'], set });
    let struck: Struck | undefined;
    const restore = strikeAt(this.#world, {
      nth,
      strike(request) {
        struck = request;
        running.kill('SIGKILL');
      },
    });
    const { signal, exitCode, text } = await running.ended;
    restore();
    this.#told.push(`${stage}, to be killed at request ${nth} (${struck?.name})\n${text}`);
    if (struck === undefined && exitCode !== 0) {
      throw new Error(`exit code ${exitCode}\n${this.#told.join('\n')}`);
    }
    if (struck !== undefined && signal === null) throw new Error(`${stage} outlived SIGKILL`);
    return struck;
  }

  async #finish(stage: string): Promise<void> {
    const { exitCode, text } = await this.#world.stage(stage, { set });
    if (exitCode !== 0)
      throw new Error(
        `${this.#told.join('\n')}\nand then, run again: exit code ${exitCode}\n${text}`,
      );
  }
}
