import { describe, expect, test } from '@jest/globals';
import { judgeReachability } from '../../../src/adapters/aws/hosts/reachability.ts';
import { reachScript } from '../../../src/adapters/aws/scripts/reach-script.ts';
import { runOnHost } from './on-a-host.ts';

const https = 'https://registry.example.com/v2/';
const plain = 'db.example.com:5432';

/** curl as it ends and writes for one target: exit code, time to connect, status code. */
function reached(target: string, [code, connect, status]: readonly [number, string, string]) {
  const curl = `printf '%s %s' '${connect}' '${status}'; exit ${code}`;
  const { output } = runOnHost(reachScript([target]), { curl });
  return judgeReachability(output, [target]);
}

describe('what a host reaches', () => {
  test.each<[string, string, [number, string, string], string]>([
    ['an answer', https, [0, '0.012', '200'], 'reached: it answers 200'],
    ['a server that wants credentials', https, [0, '0.012', '401'], 'reached: it answers 401'],
    ['an allow list', https, [0, '0.012', '403'], 'refused: it answers 403'],
    ['a server that fails', https, [0, '0.012', '502'], 'refused: it answers 502'],
    ['a server that hangs', https, [28, '0.012', '000'], 'refused: no answer in time'],
    ['no name', https, [6, '0.000', '000'], 'refused: its name cannot be resolved'],
    ['no listener', https, [7, '0.000', '000'], 'refused: no connection'],
    [
      'a strange certificate',
      https,
      [60, '0.01', '000'],
      'refused: its certificate is not trusted',
    ],
    ['a connection', plain, [52, '0.003', '000'], 'reached: it takes connections'],
    [
      'a connection that nobody speaks on',
      plain,
      [28, '0.003', '000'],
      'reached: it takes connections',
    ],
    ['a dropped connection', plain, [28, '0.000', '000'], 'refused: no answer in time'],
    ['something new', plain, [99, '0.000', '000'], 'refused: curl ends with 99'],
  ])('%s', (_, target, seen, expected) => {
    const [{ kind, detail } = { kind: '', detail: '' }] = reached(target, seen);
    expect(`${kind}: ${detail}`).toBe(expected);
  });

  test('asks for all at once and keeps them apart', () => {
    const targets = [https, plain, 'https://other.example.com'];
    const curl = `case "$line" in *db.example*) printf '0.000 000'; exit 7 ;; *) printf '0.01 200' ;; esac`;
    const { output, calls } = runOnHost(reachScript(targets), { curl });
    expect(judgeReachability(output, targets).map(({ kind }) => kind)).toEqual([
      'reached',
      'refused',
      'reached',
    ]);
    expect(calls.map((call) => call.split(' ').at(-1)).sort()).toEqual([
      'http://db.example.com:5432/',
      'https://other.example.com',
      'https://registry.example.com/v2/',
    ]);
  });

  test('a host without curl reaches nothing', () => {
    const { output } = runOnHost(reachScript([https]), {
      timeout: 'exit 127',
    });
    expect(judgeReachability(output, [https])).toEqual([
      { target: https, kind: 'refused', detail: 'the host has no curl' },
    ]);
  });

  test('a target that was not asked is not reached', () => {
    const { output } = runOnHost(reachScript([]), {});
    expect(judgeReachability(output, [https])).toEqual([
      { target: https, kind: 'refused', detail: 'it was not asked' },
    ]);
  });
});
