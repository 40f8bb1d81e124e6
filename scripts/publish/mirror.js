import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Git } from './git.js';
import { PublishProblem, unchanged } from './problem.js';

const author = 'hosted-runner-deploy publish';
const mail = 'publish@hosted-runner-deploy.invalid';

/**
 * A temporary clone whose commit has the addresses of the mirror. The clone of the user and its
 * Git configuration stay unchanged. The token reaches Git by environment only.
 */
export class Mirror extends Git {
  /**
   * @param {{ source: string, address: string, token: string, branch: string, version: string,
   *   signal: AbortSignal }} options `address` is the web address of the project
   */
  constructor({ source, address, token, branch, version, signal }) {
    super({
      folder: mkdtempSync(join(tmpdir(), 'hosted-runner-publish-')),
      address,
      token,
      signal,
    });
    this.source = source;
    this.branch = branch;
    this.version = version;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Writes the addresses of the mirror into a copy of the clone's last commit.
   * @param {{ path: string, runnerTag: string | undefined }} project
   */
  async prepare({ path, runnerTag }) {
    const from = pathToFileURL(this.source).href;
    await this.git(['clone', '--quiet', '--depth', '1', '--no-tags', from, '.']);
    const madeFrom = pathToFileURL(join(this.folder, 'scripts/made-from.js')).href;
    const { digestFile, digestOfSources } = await import(madeFrom);
    const digest = join(this.folder, 'dist', digestFile);
    if (readFileSync(digest, 'utf8').trim() !== digestOfSources()) throw staleProgram();
    const own = readAddress(this.folder);
    // The tests compare addresses, and one page explains them.
    const renamed = ['.', ':!test', ':!docs/use/networks.md'];
    const files = (await this.git(['ls-files', '-z', '--', ...renamed])).split('\0');
    for (const file of files.filter(Boolean)) this.rewrite(file, { own, path });
    if (runnerTag !== undefined) {
      const file = join(this.folder, '.gitlab/publish.gitlab-ci.yml');
      const text = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        text.replace(/^stages:/m, `default:\n  tags: [${JSON.stringify(runnerTag)}]\n\nstages:`),
      );
    }
    await this.git(['add', '--all']);
    writeFileSync(digest, `${digestOfSources()}\n`);
    await this.git(['add', '--all']);
    this.tree = (await this.git(['write-tree'])).trim();
  }

  /** @param {string} file @param {{ own: string, path: string }} names */
  rewrite(file, { own, path }) {
    const bytes = readFileSync(join(this.folder, file));
    const ownPath = new URL(own).pathname.slice(1);
    if (!bytes.includes(ownPath)) return;
    const text = bytes.toString('utf8');
    const renamed = text
      .replaceAll(own, this.address)
      // Names of images have no capital letters.
      .replaceAll(`$CI_REGISTRY/${ownPath}`, () => `$CI_REGISTRY/${path.toLowerCase()}`)
      .replaceAll(ownPath, path);
    if (renamed !== text) writeFileSync(join(this.folder, file), renamed);
  }

  /** Reads the branch and the tag of the mirror. */
  async readRemote() {
    const lines = await this.network([
      'ls-remote',
      this.remote,
      `refs/heads/${this.branch}`,
      `refs/tags/${this.version}`,
    ]);
    const ids = new Map(
      lines
        .split('\n')
        .filter(Boolean)
        .map((line) => /** @type {[string, string]} */ (line.split('\t').reverse())),
    );
    return {
      branch: ids.get(`refs/heads/${this.branch}`),
      tag: ids.get(`refs/tags/${this.version}`),
    };
  }

  /**
   * Compares the mirror with the prepared commit. Returns the commit to push, or undefined if the
   * tag exists with this content.
   */
  async plan() {
    const remote = await this.readRemote();
    const wanted = [
      remote.tag === undefined ? [] : [`refs/tags/${this.version}`],
      remote.branch === undefined ? [] : [`refs/heads/${this.branch}`],
    ].flat();
    if (wanted.length > 0)
      await this.network(['fetch', '--quiet', '--depth', '1', '--no-tags', this.remote, ...wanted]);
    if (remote.tag !== undefined) {
      if ((await this.treeOf(remote.tag)) === this.tree) return undefined;
      throw this.differingTag();
    }
    if (remote.branch === undefined) return { commit: await this.commit([]), isNew: true };
    const who = (await this.git(['log', '-1', '--format=%ce', remote.branch])).trim();
    if (who !== mail) throw this.foreignBranch(remote.branch);
    const isSame = (await this.treeOf(remote.branch)) === this.tree;
    const commit = isSame ? remote.branch : await this.commit(['-p', remote.branch]);
    return { commit, isNew: !isSame };
  }

  /** Pushes the branch and the tag together, and never by force. @param {string} commit */
  async push(commit) {
    const refs = [`${commit}:refs/heads/${this.branch}`, `${commit}:refs/tags/${this.version}`];
    await this.network(['push', '--quiet', '--atomic', this.remote, ...refs]);
  }

  /** @param {string} name */
  async treeOf(name) {
    return (await this.git(['rev-parse', `${name}^{tree}`])).trim();
  }

  /** @param {string[]} parents */
  async commit(parents) {
    const date = (await this.git(['log', '-1', '--format=%cI', 'HEAD'])).trim();
    const text = `Publish hosted-runner-deploy ${this.version}`;
    const env = {
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: mail,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author,
      GIT_COMMITTER_EMAIL: mail,
      // The same content has the same commit, also in a second run.
      GIT_COMMITTER_DATE: date,
    };
    const words = ['commit-tree', this.tree ?? '', ...parents, '-m', text];
    return (await this.git(words, env)).trim();
  }

  differingTag() {
    return new PublishProblem({
      what: `The tag ${this.version} exists in ${this.address} with other content.`,
      why: 'The clone has changed since that release, or the tag was pushed by hand.',
      now: 'The existing tag and branch were not changed. Pipelines that use the tag continue to work.',
      fix: [
        'Publish the change as a new version: npm version patch, then the same command.',
        `Compare: git fetch ${this.remote} refs/tags/${this.version} && git diff FETCH_HEAD HEAD`,
      ],
    });
  }

  /** @param {string} commit */
  foreignBranch(commit) {
    return new PublishProblem({
      what: `The last commit ${commit.slice(0, 8)} of ${this.branch} in ${this.address} was not made by this command.`,
      why: 'This command replaces the content of the branch and never pushes by force.',
      now: 'The branch was not changed.',
      fix: [
        'Publish into another group: the same command with --group OTHER_GROUP.',
        `If nothing of it is needed, delete the project (${this.address}/edit) and run the same command.`,
      ],
    });
  }
}

function staleProgram() {
  return new PublishProblem({
    what: 'The last commit has a dist/ of other sources.',
    why: 'The image would contain another program than the sources.',
    now: unchanged,
    fix: ['npm run build && git commit --all --message "build: dist"'],
  });
}

/** @param {string} folder */
function readAddress(folder) {
  const text = readFileSync(join(folder, 'src/domain/project.ts'), 'utf8');
  const address = /projectAddress = '([^']+)'/.exec(text)?.[1];
  if (address !== undefined) return address;
  throw new PublishProblem({
    what: 'src/domain/project.ts has no projectAddress.',
    now: unchanged,
    fix: ['Restore the file: git checkout -- src/domain/project.ts'],
  });
}
