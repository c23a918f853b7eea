export {
  type Archive,
  finishArchive,
  listArchives,
  recordArchive,
  removeDecisions,
  removeRows,
  withArchivingTurn,
} from './archives.ts';
export {
  type DecisionSpan,
  expiredDecisions,
  expiredRows,
  exportedUpTo,
  oldestMonth,
  type TableLog,
} from './expired.ts';
export {
  ARCHIVED_LOGS,
  type ArchivedLog,
  KEPT_LOGS,
  type KeptLog,
  type Retention,
  readRetention,
  setRetention,
} from './retention.ts';
