import { spawn } from 'node:child_process';
import { PublishProblem, resumable } from './problem.js';

/** Variables that print the token, send Git to another repository, or hold the token itself. */
const unwanted =
  /^GIT_(?:TRACE|CURL|DIR$|WORK_TREE|INDEX|OBJECT|ALTERNATE|NAMESPACE|PREFIX|ASKPASS|CONFIG_(?:COUNT|KEY|VALUE|PARAMETERS))|^HOSTED_RUNNER_GITLAB_TOKEN$/;

/** Settings of every call: no hooks of the user, the same bytes on every machine. */
const fixed = ['core.hooksPath=/dev/null', 'core.autocrlf=false', 'advice.detachedHead=false'];

/** A failure of Git, with Git's own text. */
export class GitFailure extends Error {}

/** Git in one folder. The token reaches it by environment only, and for one address only. */
export class Git {
  /** @param {{ folder: string, address: string, token: string, signal: AbortSignal }} options */
  constructor({ folder, address, token, signal }) {
    this.folder = folder;
    this.address = address;
    this.remote = `${address}.git`;
    this.token = token;
    this.signal = signal;
  }

  /** Runs Git with the token. @param {string[]} words */
  async network(words) {
    const credentials = Buffer.from(`oauth2:${this.token}`).toString('base64');
    const settings = [
      [`http.${this.remote}.extraHeader`, `Authorization: Basic ${credentials}`],
      // A redirect could send the token to another server.
      ['http.followRedirects', 'false'],
      ['credential.helper', ''],
      // A transfer below 1 kB/s for a minute fails.
      ['http.lowSpeedLimit', '1000'],
      ['http.lowSpeedTime', '60'],
    ];
    const env = Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    );
    try {
      return await this.git(words, { ...env, GIT_CONFIG_COUNT: String(settings.length) });
    } catch (error) {
      this.signal.throwIfAborted();
      const text = (error instanceof Error ? error.message : String(error))
        .replaceAll(credentials, '[masked]')
        .replaceAll(this.token, '[masked]');
      throw pushProblem({
        what: `git ${words[0]} of ${this.remote} failed.`,
        text,
        address: this.address,
      });
    }
  }

  /**
   * Runs Git in the temporary clone. Traces would print the token.
   * @param {string[]} words @param {Record<string, string | undefined>} [extra] @returns {Promise<string>}
   */
  git(words, extra = {}) {
    const inherited = Object.entries(process.env).filter(([key]) => !unwanted.test(key));
    const env = {
      ...Object.fromEntries(inherited),
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
      ...extra,
    };
    return new Promise((settle, fail) => {
      const options = { cwd: this.folder, env, signal: this.signal };
      const all = [...fixed.flatMap((one) => ['-c', one]), ...words];
      const child = spawn('git', all, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let problems = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.stderr.on('data', (chunk) => {
        problems += chunk;
      });
      child.on('error', (error) => fail(new GitFailure(error.message)));
      child.on('close', (code) => {
        if (code === 0) settle(out);
        else fail(new GitFailure(problems.trim() || `git ended with ${code}.`));
      });
    });
  }
}

/** @param {{ what: string, text: string, address: string }} failure */
function pushProblem({ what, text, address }) {
  const fix = /certificate|SSL/i.test(text)
    ? ['Name the CA for Git: export GIT_SSL_CAINFO=/path/to/ca.pem']
    : /protected|not allowed|denied|403|pre-receive/i.test(text)
      ? [
          `Permit Maintainers to push: ${address}/-/settings/repository (Protected branches, Protected tags).`,
        ]
      : ['Run the same command again.'];
  return new PublishProblem({ what, why: text.replaceAll(/\s+/g, ' '), now: resumable, fix });
}
