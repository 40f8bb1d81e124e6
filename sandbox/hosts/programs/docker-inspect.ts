import { createHash } from 'node:crypto';
import type { Behaviour } from '../behaviour.ts';
import { parseWords } from '../command-words.ts';
import type { Container } from '../containers.ts';
import { type Inside, runnerUnitName } from '../inside.ts';
import type { CallResult } from './calls.ts';
import { renderGoTemplate } from './go-template.ts';
import type { Unit } from './unit.ts';

export function inspectObjects(inside: Inside, words: readonly string[]): CallResult {
  const { flags, rest } = parseWords(words, { valued: ['f', 'format', 'type'] });
  const template = flags.get('f') ?? flags.get('format');
  const found: unknown[] = [];
  let err = '';
  for (const name of rest) {
    const object = objects(inside).find(
      (own) => own.Name === `/${name}` || own.Id.startsWith(name),
    );
    if (object === undefined) err += `Error: No such object: ${name}\n`;
    else found.push(object);
  }
  const code = err === '' ? 0 : 1;
  if (template === undefined) return { code, out: `${JSON.stringify(found, undefined, 2)}\n`, err };
  return { code, out: found.map((own) => `${renderGoTemplate(template, own)}\n`).join(''), err };
}

export function listContainers(inside: Inside, words: readonly string[]): CallResult {
  const { flags, all } = parseWords(words, { valued: ['f', 'filter', 'format', 'n'] });
  const filters = [...all('filter'), ...all('f')];
  const shown = objects(inside).filter(
    (own) =>
      (flags.has('a') ||
        flags.has('all') ||
        flags.has('aq') ||
        flags.has('qa') ||
        own.State.Running) &&
      filters.every((filter) => passes(own, filter)),
  );
  const isQuiet = ['q', 'quiet', 'aq', 'qa'].some((name) => flags.has(name));
  const template = isQuiet ? '{{.ID}}' : flags.get('format');
  const rows = shown.map((own) => ({
    ID: own.Id.slice(0, 12),
    Names: own.Name.slice(1),
    Image: own.Config.Image,
    State: own.State.Status,
    Status: own.State.Running ? 'Up 1 minute' : `Exited (${own.State.ExitCode}) 1 minute ago`,
    Labels: Object.entries(own.Config.Labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  }));
  const usual = '{{.ID}}   {{.Image}}   {{.Status}}   {{.Names}}';
  const lines = rows.map((row) => `${renderGoTemplate(template ?? usual, row)}\n`).join('');
  const head = template === undefined ? 'CONTAINER ID   IMAGE   STATUS   NAMES\n' : '';
  return { code: 0, out: head + lines };
}

function passes(own: DockerObject, filter: string): boolean {
  const at = filter.indexOf('=');
  const [key, value] = [filter.slice(0, at), filter.slice(at + 1)];
  if (key === 'name') return new RegExp(value).test(own.Name) || own.Name === `/${value}`;
  if (key === 'id') return own.Id.startsWith(value);
  if (key === 'status') return own.State.Status === value;
  if (key !== 'label') return true;
  const [label = '', wanted] = value.split('=');
  return wanted === undefined ? label in own.Config.Labels : own.Config.Labels[label] === wanted;
}

function objects(inside: Inside): DockerObject[] {
  const { unit, behaviour, instanceId, containers } = inside;
  const runner = unit !== undefined && behaviour.process === 'docker';
  return [
    ...(runner ? [runnerObject(unit, behaviour, instanceId)] : []),
    ...containers.list.map(containerObject),
  ];
}

function runnerObject(unit: Unit, behaviour: Behaviour, instanceId: string): DockerObject {
  const { runnerVersion: version, health } = behaviour;
  return {
    Id: `c0ffee${instanceId.slice(2)}`.padEnd(64, '0'),
    Name: `/${runnerUnitName}`,
    Image: imageId(version),
    Created: unit.startedAt ?? '',
    RestartCount: unit.restarts,
    State: {
      Status: unit.isRunning ? 'running' : 'exited',
      Running: unit.isRunning,
      Paused: false,
      Restarting: false,
      OOMKilled: false,
      Dead: false,
      Pid: unit.mainPid,
      ExitCode: unit.exitCode ?? 0,
      Error: '',
      StartedAt: unit.startedAt ?? '',
      FinishedAt: unit.finishedAt ?? '0001-01-01T00:00:00Z',
      Health: health === undefined ? null : { Status: health },
    },
    HostConfig: { RestartPolicy: { Name: unit.restartPolicy, MaximumRetryCount: 0 } },
    Config: { Image: `gitlab/gitlab-runner:v${version}`, Labels: {}, StopSignal: 'SIGQUIT' },
  };
}

function containerObject(container: Container): DockerObject {
  return {
    Id: container.id,
    Name: `/${container.name}`,
    Image: imageId(container.image),
    Created: container.createdAt,
    RestartCount: 0,
    State: {
      Status: container.state,
      Running: container.state === 'running',
      Paused: false,
      Restarting: false,
      OOMKilled: false,
      Dead: false,
      Pid: 0,
      ExitCode: container.exitCode,
      Error: '',
      StartedAt: container.createdAt,
      FinishedAt: '0001-01-01T00:00:00Z',
      Health: null,
    },
    HostConfig: { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } },
    Config: { Image: container.image, Labels: container.labels, StopSignal: '' },
  };
}

interface DockerObject {
  Id: string;
  Name: string;
  /** Id of the image. */
  Image: string;
  Created: string;
  RestartCount: number;
  State: {
    Status: string;
    Running: boolean;
    Paused: boolean;
    Restarting: boolean;
    OOMKilled: boolean;
    Dead: boolean;
    Pid: number;
    ExitCode: number;
    Error: string;
    StartedAt: string;
    FinishedAt: string;
    /** Health of an image with a HEALTHCHECK. */
    Health: { Status: string } | null;
  };
  HostConfig: { RestartPolicy: { Name: string; MaximumRetryCount: number } };
  Config: { Image: string; Labels: Record<string, string>; StopSignal: string };
}

export function imageId(name: string): string {
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}
