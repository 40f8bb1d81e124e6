import { costValues } from '../domain/deployment/cost.ts';
import { guards } from '../domain/deployment/guards/guard-catalogue.ts';
import type { Evidence, EvidenceKind } from '../domain/health/evidence.ts';
import { escapeMarkup } from './markup.ts';
import type { GuardAnswer, ReportedEvidence, RunReport } from './run-report.ts';

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly seconds: number;
  readonly result:
    | { readonly kind: 'passed' }
    | { readonly kind: 'skipped'; readonly message: string }
    | {
        readonly kind: 'failed';
        readonly type: string;
        readonly message: string;
        readonly text: string;
      };
}

/**
 * Renders a test case for the run and for each step, guard and piece of evidence. GitLab shows them
 * in merge requests.
 */
export function renderJUnit(report: RunReport): string {
  const cases = [
    runCase(report),
    ...stepCases(report),
    ...report.guards.map(guardCase(report)),
    ...report.evidence.flatMap(evidenceCases(report)),
  ];
  const count = (kind: Case['result']['kind']) =>
    cases.filter(({ result }) => result.kind === kind).length;
  const name = escapeMarkup(`hosted-runner ${report.stage} ${report.runner}`.trim());
  const seconds = secondsOf(report).toFixed(3);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${name}" tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${seconds}" timestamp="${new Date(report.startedAt).toISOString()}">
${properties(report)}${cases.map(renderCase).join('\n')}
  </testsuite>
</testsuites>
`;
}

/** Renders the cost of the deployment for customers. Unmeasured values are `unknown`. */
function properties({ deployment }: RunReport): string {
  if (deployment?.cost === undefined) return '';
  const lines = Object.entries(costValues(deployment.cost)).map(
    ([name, value]) => `      <property name="hosted_runner.${name}" value="${value}"/>\n`,
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}

function runCase(report: RunReport): Case {
  return {
    suite: `${report.runner}.run`,
    name: report.stage,
    seconds: secondsOf(report),
    result: resultOf(report),
  };
}

function resultOf({ outcome, error, summary }: RunReport): Case['result'] {
  const message = error?.what ?? summary.join('; ');
  // Neither is a defect: an unfinished run is resumed, a skipped one states its reason.
  if (outcome === 'unfinished' || outcome === 'nothing') return { kind: 'skipped', message };
  if (error === undefined) return { kind: 'passed' };
  return { kind: 'failed', type: error.code, message, text: error.text };
}

function stepCases(report: RunReport): Case[] {
  return report.steps.map((step, index) => ({
    suite: `${report.runner}.step`,
    name: step.name,
    seconds: secondsOf(step),
    // Steps run in sequence, so only the last one can have failed.
    result: index === report.steps.length - 1 ? resultOf(report) : { kind: 'passed' },
  }));
}

function guardCase({ runner }: RunReport) {
  return ({ guard, outcome, ...answer }: GuardAnswer): Case => {
    const { code = outcome, exitCode, detail = '' } = answer;
    const result: Case['result'] =
      outcome === 'passed'
        ? { kind: 'passed' }
        : exitCode === 75
          ? { kind: 'skipped', message: detail }
          : { kind: 'failed', type: code, message: detail, text: `${outcome}: ${detail}` };
    return {
      suite: `${runner}.guard`,
      name: `${guard}: ${guards[guard].holds}`,
      seconds: 0,
      result,
    };
  };
}

function evidenceCases({ runner, requirements }: RunReport) {
  return (reported: ReportedEvidence): Case[] => {
    const seen = reported.evidence.map((one) => ({
      suite: `${runner}.evidence.${reported.shard}`,
      name: `${one.kind} (${one.source})`,
      seconds: 0,
      result: evidenceResult(one, reported, requirements?.[one.kind] ?? 'required'),
    }));
    const kinds = new Set(reported.evidence.map(({ kind }) => kind));
    const unseen = (Object.keys(requirements ?? {}) as EvidenceKind[]).filter(
      (kind) => !kinds.has(kind) && requirements?.[kind] !== 'off',
    );
    return [
      ...seen,
      ...unseen.map((kind) => ({
        suite: `${runner}.evidence.${reported.shard}`,
        name: kind,
        seconds: 0,
        result: {
          kind: 'skipped' as const,
          message: 'not checked: earlier evidence is missing',
        },
      })),
    ];
  };
}

function evidenceResult(
  { state, detail, at, source }: Evidence,
  { verdict }: ReportedEvidence,
  requirement: string,
): Case['result'] {
  if (state === 'good') return { kind: 'passed' };
  if (requirement !== 'required' || verdict === 'waiting') {
    return { kind: 'skipped', message: `${state}: ${detail}` };
  }
  return { kind: 'failed', type: state, message: detail, text: `${detail} (${source}, ${at})` };
}

function renderCase({ suite, name, seconds, result }: Case): string {
  const open = `    <testcase classname="${escapeMarkup(suite)}" name="${escapeMarkup(name)}" time="${seconds.toFixed(3)}"`;
  switch (result.kind) {
    case 'passed':
      return `${open}/>`;
    case 'skipped':
      return `${open}><skipped message="${escapeMarkup(result.message)}"/></testcase>`;
    case 'failed':
      return `${open}><failure type="${escapeMarkup(result.type)}" message="${escapeMarkup(result.message)}">${escapeMarkup(result.text)}</failure></testcase>`;
  }
}

function secondsOf({ startedAt, endedAt }: { startedAt: number; endedAt: number }): number {
  return Math.max(0, endedAt - startedAt) / 1000;
}
