import { renderAnnotations } from './annotations.ts';
import { renderDeploymentEnv } from './deployment-env.ts';
import { renderJUnit } from './junit.ts';
import type { RunReport } from './run-report.ts';
import { renderTimeline } from './timeline.ts';

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

export function renderReportFiles(report: RunReport): readonly ReportFile[] {
  return [
    { name: 'junit.xml', text: renderJUnit(report) },
    { name: 'annotations.json', text: renderAnnotations(report) },
    { name: 'timeline.html', text: renderTimeline(report) },
    { name: 'deployment.env', text: renderDeploymentEnv(report) },
  ];
}
