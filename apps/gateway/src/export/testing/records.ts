import type { ExportRecord } from '@gateway/database/audit-log/log-reader';
import { aDecision, aDetection, anAct } from '@gateway/database/testing';
import { v7 } from 'uuid';

type Of<Source extends ExportRecord['source']> = Extract<ExportRecord, { source: Source }>;
const DIGEST = 'c0ffee'.padEnd(64, '0');

export const decisionRecord = (change: Parameters<typeof aDecision>[0] = {}): Of<'decisions'> => ({
  source: 'decisions',
  position: 7n,
  decision: aDecision(change),
  digest: DIGEST,
});

export const actionRecord = (change: Partial<Of<'actions'>['action']> = {}): Of<'actions'> => ({
  source: 'actions',
  position: 8n,
  digest: DIGEST,
  action: {
    id: v7(),
    at: '2026-11-21T10:00:00.000Z',
    component: 'console',
    author: 'root',
    action: 'provider.change',
    target: 'provider:engine',
    oldValue: '{"name":"Old"}',
    newValue: '{"name":"New"}',
    shortened: false,
    ...change,
  },
});

export const detectionRecord = (
  change: Parameters<typeof aDetection>[0] = {},
  call: Of<'detections'>['call'] = {
    subject: 'ada',
    resource: 'endpoint:chat',
    session: 's-1',
    sourceAddress: '10.0.0.7',
  },
): Of<'detections'> => ({ source: 'detections', position: 9n, detection: aDetection(change), call });

export const actRecord = (change: Partial<Of<'acts'>['act']> = {}): Of<'acts'> => ({
  source: 'acts',
  position: 10n,
  receivedAt: '2026-11-21T10:00:00.000Z',
  act: anAct(change),
});
