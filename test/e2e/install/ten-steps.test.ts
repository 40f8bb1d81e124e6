import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { acts, type Tour } from './acts.ts';
import { type Page, readPage, type Step } from './page.ts';
import { openPlace, type Place } from './place.ts';
import { openTypist, type Typist } from './typist.ts';

describeWithTools(
  {
    name: 'the installation in ten steps',
    needs: ['terraform', 'moto_server', 'python3', 'curl', 'rsync'],
  },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let place: Place;
      let typist: Typist;
      beforeAll(async () => {
        place = await openPlace(path('moto_server'), mirror);
        typist = await openTypist({
          python: path('python3'),
          env: place.shell,
          cwd: place.folder,
        });
      });
      afterAll(async () => {
        typist?.close();
        await place?.close();
      });

      test('a reader who types the page has a stack that runs jobs', async () => {
        const page = readPage();
        const tour = await startTour();
        expect(page.steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        for (const step of page.steps) {
          const began = performance.now();
          const unreached = await acts[step.number]?.(tour, step);
          print(reportOf(step, performance.now() - began, unreached ?? []));
        }
        print(
          `decisions: ${page.decisions.length} (goal: 8); words to read: ${page.words} (goal: 1,500)\n`,
        );
        expect(withoutUse(page, tour.typed)).toEqual([]);
      });

      async function startTour(): Promise<Tour> {
        const subnets = await place.moto.ec2('DescribeSubnets');
        const [, subnet = ''] = /<subnetId>([^<]+)/.exec(subnets) ?? [];
        const own: readonly (readonly [page: string, own: string])[] = [
          ['--url https://gitlab.example.com', `--url ${place.publisher.url}`],
          ['platform/runners', 'acme/runners'],
          ['42', '10'],
          ['subnet-0abc1234', subnet],
        ];
        return {
          place,
          typist,
          project: join(place.folder, 'runners'),
          vpc: /<vpcId>([^<]+)/.exec(subnets)?.[1] ?? '',
          typed: [],
          withOwnValues: (text) => own.reduce((one, [from, to]) => one.replaceAll(from, to), text),
        };
      }
    });
  },
);

function print(text: string): void {
  process.stdout.write(text);
}

function reportOf({ number, title, minutes }: Step, ms: number, unreached: readonly string[]) {
  const parts = unreached.map((part) => `   not reached: ${part}\n`);
  const seconds = (ms / 1000).toFixed(1);
  return `${number}. ${title}: ${seconds} s (page: ${minutes} minutes)\n${parts.join('')}`;
}

/** Returns the decisions with a value that was never typed. */
function withoutUse({ decisions }: Page, typed: readonly string[]): readonly string[] {
  const text = typed.join('\n');
  return decisions
    .filter(({ examples }) => !examples.every((example) => text.includes(example)))
    .map(({ what }) => what);
}
