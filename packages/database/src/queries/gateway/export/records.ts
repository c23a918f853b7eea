import type { AgentAct, Decision, Detection } from '@gateway/contract';
import type { StoredAction } from '../../../audit-log/action-entry.ts';

/** What the log export reads, one position each (log-16). */
export const EXPORT_SOURCES = ['decisions', 'actions', 'detections', 'acts'] as const;
export type ExportSource = (typeof EXPORT_SOURCES)[number];

/** One entry of a source. Positions of a source only grow, and gaps in them mean nothing. */
export type ExportRecord =
  | {
      readonly source: 'decisions';
      readonly position: bigint;
      readonly decision: Decision;
      /** Of the entry in its chain, hexadecimal. */
      readonly digest: string;
    }
  | { readonly source: 'actions'; readonly position: bigint; readonly action: ExportedAction; readonly digest: string }
  | {
      readonly source: 'detections';
      readonly position: bigint;
      readonly detection: Detection;
      /** Of the call; null where its decision is not in the log. */
      readonly call: DetectedCall | null;
    }
  | {
      readonly source: 'acts';
      readonly position: bigint;
      readonly act: AgentAct;
      /** When the gateway stored it, ISO 8601: `at` is the claim of a workstation, of any year. */
      readonly receivedAt: string;
    };

/** When an entry was recorded, by our clocks: ISO 8601 in UTC, so that texts compare like times. */
export function recordedAt(record: ExportRecord): string {
  switch (record.source) {
    case 'decisions':
      return record.decision.at;
    case 'actions':
      return record.action.at;
    case 'detections':
      return record.detection.at;
    default:
      return record.receivedAt;
  }
}

/** An administration action; values are canonical JSON. */
export interface ExportedAction extends StoredAction {
  /** Whether a value was left out for its size. */
  readonly shortened: boolean;
}

/** Facts about the call of a detection, from its decision. */
export interface DetectedCall {
  readonly subject: string | null;
  readonly resource: string;
  readonly session: string | null;
  readonly sourceAddress: string | null;
}
