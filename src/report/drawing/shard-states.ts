import type { DrawnState } from './picture.ts';

/** State of a shard as every drawing shows it: at a terminal, on a page and in a picture. */
export interface ShardStateStyle {
  readonly label: string;
  /** Explanation for the legend. */
  readonly meaning: string;
  readonly fill: string;
  /** Colour of text on `fill`, with a contrast of at least 4.5:1. */
  readonly ink: string;
  /** Numbers of both colours in a terminal's palette of 256 colours. */
  readonly terminal: { readonly fill: number; readonly ink: number };
}

const [dark, light] = ['#111111', '#ffffff'];
const [darkAtTerminal, lightAtTerminal] = [16, 231];

/**
 * Table of all states and their colours, the only place that defines them. The colours are those of
 * Okabe and Ito: they are distinct with any colour vision. No state has the colour of a shard's
 * usual name, of a warning or of an error.
 */
export const shardStates: Readonly<Record<DrawnState, ShardStateStyle>> = {
  building: {
    label: 'being built',
    meaning: 'its runner exists; its host has not contacted GitLab yet',
    fill: '#b5b5bd',
    ink: dark,
    terminal: { fill: 249, ink: darkAtTerminal },
  },
  quarantine: {
    label: 'in quarantine',
    meaning: "takes only the canary's tag, no customer job",
    fill: '#4cc0a0',
    ink: dark,
    terminal: { fill: 79, ink: darkAtTerminal },
  },
  serving: {
    label: 'accepts jobs too',
    meaning: 'takes customer jobs beside the active shard',
    fill: '#56b4e9',
    ink: dark,
    terminal: { fill: 74, ink: darkAtTerminal },
  },
  active: {
    label: 'active',
    meaning: 'takes customer jobs; it is the active shard',
    fill: '#0072b2',
    ink: light,
    terminal: { fill: 25, ink: lightAtTerminal },
  },
  draining: {
    label: 'draining',
    meaning: 'takes no new job and finishes running jobs',
    fill: '#f0e442',
    ink: dark,
    terminal: { fill: 227, ink: darkAtTerminal },
  },
  drained: {
    label: 'drained',
    meaning: 'has no job left; it is paused and still exists',
    fill: '#d9d3a0',
    ink: dark,
    terminal: { fill: 187, ink: darkAtTerminal },
  },
  destroying: {
    label: 'being destroyed',
    meaning: 'its runner is removed, its infrastructure is being removed',
    fill: '#e07a3f',
    ink: dark,
    terminal: { fill: 173, ink: darkAtTerminal },
  },
};

const entries = Object.entries(shardStates) as [DrawnState, ShardStateStyle][];

export const stateLabels = Object.fromEntries(
  entries.map(([state, { label }]) => [state, label]),
) as Readonly<Record<DrawnState, string>>;

/** Style rules of the states, for pages and pictures. */
export const stateRules = entries
  .map(
    ([state, { fill, ink }]) => `.${state} { fill: ${fill}; } svg .on-${state} { fill: ${ink}; }`,
  )
  .join('\n');
