import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Page in the view of one reader.
 * @typedef {{ html: string, width: number, scheme: 'light' | 'dark', media?: 'print' }} Sight
 */

/**
 * Opens headless Chromium through its protocol over a pipe: one browser for all pages. Windows may
 * be narrower than 500 pixels, the minimum of its command line.
 * https://chromedevtools.github.io/devtools-protocol/
 * @param {string} file the browser
 */
export async function openBrowser(file) {
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const child = spawn(
    file,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  await once(child, 'spawn');
  const call = speak(child);
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  const send = (/** @type {string} */ method, params = {}) => call(method, params, sessionId);

  /** @param {Sight} sight */
  async function show({ html, width, scheme, media = undefined }) {
    await send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await send('Emulation.setEmulatedMedia', {
      media: media ?? '',
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
    // From a file: text written into an open page would be subject to that page's policy.
    const page = join(profile, 'page.html');
    writeFileSync(page, html);
    await send('Page.navigate', { url: pathToFileURL(page).href });
    await evaluate(
      "document.readyState === 'complete' || new Promise((go) => addEventListener('load', () => go(true)))",
    );
  }

  /**
   * Evaluates an expression in the current page, even if the page forbids scripts.
   * @param {string} expression
   * @returns {Promise<any>}
   */
  async function evaluate(expression) {
    const how = { expression, returnByValue: true, awaitPromise: true };
    const answer = await send('Runtime.evaluate', how);
    if (answer.exceptionDetails !== undefined)
      throw new Error(JSON.stringify(answer.exceptionDetails));
    return answer.result.value;
  }

  return {
    show,
    evaluate,
    /** Takes a PNG of the whole page, whatever its length. */
    async picture() {
      const { cssContentSize } = await send('Page.getLayoutMetrics');
      const { data } = await send('Page.captureScreenshot', {
        captureBeyondViewport: true,
        clip: { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 },
      });
      return Buffer.from(data, 'base64');
    },
    async close() {
      // Its helpers write into the profile until they end. `Browser.close` waits for them, a kill
      // does not.
      await call('Browser.close', {}).catch(() => {});
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/**
 * Sends calls and receives responses, each as JSON and a zero byte.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {(method: string, params?: object, sessionId?: string) => Promise<any>}
 */
function speak(child) {
  const [, , , into, outOf] = child.stdio;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let last = 0;
  let rest = '';
  outOf?.on('data', (/** @type {Buffer} */ chunk) => {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const { id, result, error } = JSON.parse(part);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(JSON.stringify(error)));
    }
  });
  child.once('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the browser ended with ${code}`));
  });
  return (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      const stream = /** @type {import('node:stream').Writable} */ (into);
      stream.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
}
