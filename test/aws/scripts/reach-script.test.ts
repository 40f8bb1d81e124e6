import { describe, expect, test } from '@jest/globals';
import { judgeReachability } from '../../../src/adapters/aws/hosts/reachability.ts';
import { reachScript } from '../../../src/adapters/aws/scripts/reach-script.ts';
import { runOnHost } from './on-a-host.ts';

const https = 'https://registry.example.com/v2/';
const plain = 'db.example.com:5432';

/** Returns a stub of curl for one target: exit code, time to connect, status code. */
function reached(target: string, [code, connect, status]: readonly [number, string, string]) {
  const curl = `printf '%s %s' '${connect}' '${status}'; exit ${code}`;
  const { output } = runOnHost(reachScript([target]), { curl });
  return judgeReachability(output, [target]);
}

describe('the reachability check of a host', () => {
  test.each<[string, string, [number, string, string], string]>([
    ['a response', https, [0, '0.012', '200'], 'reached: it returns 200'],
    ['a server that wants credentials', https, [0, '0.012', '401'], 'reached: it returns 401'],
    ['an allow list', https, [0, '0.012', '403'], 'refused: it returns 403'],
    ['a server that fails', https, [0, '0.012', '502'], 'refused: it returns 502'],
    ['a server that hangs', https, [28, '0.012', '000'], 'refused: no response in time'],
    ['no name', https, [6, '0.000', '000'], 'refused: its name cannot be resolved'],
    ['no listener', https, [7, '0.000', '000'], 'refused: no connection'],
    [
      'a strange certificate',
      https,
      [60, '0.01', '000'],
      'refused: its certificate is not trusted',
    ],
    ['a connection', plain, [52, '0.003', '000'], 'reached: it accepts connections'],
    [
      'a connection without any data',
      plain,
      [28, '0.003', '000'],
      'reached: it accepts connections',
    ],
    ['a dropped connection', plain, [28, '0.000', '000'], 'refused: no response in time'],
    ['an undocumented result', plain, [99, '0.000', '000'], 'refused: curl exited with 99'],
  ])('reports %s', (_, target, seen, expected) => {
    const [{ kind, detail } = { kind: '', detail: '' }] = reached(target, seen);
    expect(`${kind}: ${detail}`).toBe(expected);
  });

  test('checks all targets at once and keeps the results apart', () => {
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

  test('reports no target as reached without curl', () => {
    const { output } = runOnHost(reachScript([https]), {
      timeout: 'exit 127',
    });
    expect(judgeReachability(output, [https])).toEqual([
      { target: https, kind: 'refused', detail: 'the host has no curl' },
    ]);
  });

  test('reports a target without a result as not reached', () => {
    const { output } = runOnHost(reachScript([]), {});
    expect(judgeReachability(output, [https])).toEqual([
      { target: https, kind: 'refused', detail: 'it was not checked' },
    ]);
  });
});
