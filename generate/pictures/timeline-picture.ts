import type { Log } from '../../src/ports/log-event.ts';
import { createCollector } from '../../src/report/collector.ts';
import { drawTimeline } from '../../src/report/drawing/chart.ts';
import { join } from '../../src/report/drawing/elements.ts';
import { pageStyle } from '../../src/report/drawing/style.ts';
import { pictureOfRun } from '../../src/report/picture-of-run.ts';
import type { RunReport } from '../../src/report/run-report.ts';
import type { RecordedEvent } from './recorded-run.ts';

/**
 * Renders the timeline of a recorded run as a separate file, drawn as in timeline.html, light or
 * dark.
 */
export function renderTimelinePicture(run: readonly RecordedEvent[]): string {
  let now = run[0]?.at ?? 0;
  const collector = createCollector({ now: () => now });
  const log: Log = collector.tee({ section() {}, act() {}, wait() {}, warn() {}, event() {} });
  for (const { at, event } of run) {
    now = at;
    if (event.kind === 'said') log.wait(event.text);
    else log.event(event);
  }
  const picture = pictureOfRun(collector.collected() as RunReport);
  if (picture === undefined) throw new Error('the recorded run has no record of a deployment');
  const style = `<style>${pageStyle}</style><rect width="100%" height="100%" style="fill: var(--paper)"/>`;
  return `${join([drawTimeline(picture)]).replace('>', `>${style}`)}\n`;
}
