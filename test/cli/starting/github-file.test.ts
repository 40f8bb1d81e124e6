import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  diagnose,
  type GitHubLanguage,
  loadGitHubLanguage,
} from '../../workflow/github-language.ts';
import { init } from '../initialised.ts';

const path = '.github/workflows/hosted-runners.yml';

describe('the workflow that init writes', () => {
  let language: GitHubLanguage;
  beforeAll(async () => {
    language = await loadGitHubLanguage();
  });

  test.each([
    [['linux'], false],
    [['linux', '2xl', 'on'], true],
  ])('contains no error for the stacks %j, with Terraform: %s', async (stacks, terraform) => {
    const { surroundings } = await init({}, { ci: 'github', stacks, terraform });
    const text = surroundings.folder.files[path] ?? '';
    expect(text).toMatch(/user or organization that publishes/);
    expect(await diagnose(language, path, text)).toEqual([]);
    expect(await diagnose(language, path, text.replace('runner_name:', 'name:'))).not.toEqual([]);
    const jobs: { with: Record<string, string>; needs?: unknown }[] = Object.values(
      parse(text).jobs,
    );
    expect(jobs.map((job) => job.with['runner_name']).sort()).toEqual([...stacks].sort());
    for (const job of jobs) {
      expect(job.needs).toBeUndefined();
      expect(JSON.parse(job.with['runs_on'] ?? '')).toEqual(['self-hosted', 'FILL_IN']);
      expect('aws_role' in job.with).toBe(terraform);
    }
  });

  test('contains the answers, and leaves other workflows unchanged', async () => {
    const files = { '.github/workflows/a.yml': 'mine' };
    const answers = [
      '',
      '',
      'https://gitlab.example.com',
      '7',
      'acme',
      'self-hosted, ops',
      'eu-west-1',
    ];
    const { surroundings } = await init(files, { answers });
    expect(files['.github/workflows/a.yml']).toBe('mine');
    const { linux } = parse(surroundings.folder.files[path] ?? '').jobs;
    expect(linux.uses).toMatch(/^acme\/hosted-runner-deploy\//);
    expect(linux.with).toEqual({
      runner_name: 'linux',
      aws_region: 'eu-west-1',
      runs_on: '["self-hosted", "ops"]',
    });
  });
});
