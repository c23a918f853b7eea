export { createDecisionLog, type DecisionLog, type DecisionLogOptions } from '../../audit-log/decision-log.ts';
export { createDetectionLog, type DetectionLog, type DetectionLogOptions } from '../../audit-log/decision-statement.ts';
export type { SeenEnd, SeenEndStore } from '../../audit-log/earlier-state.ts';
export {
  createLogReader,
  createLogTrees,
  type DetectedCall,
  type ExportedAction,
  type ExportRecord,
  type ExportSource,
  type LogReader,
  type LogReaderOptions,
  type LogTrees,
  type Positions,
  readChainPositions,
  recordedAt,
} from '../../audit-log/log-reader.ts';
export { createLink, type Link, type LinkOptions } from '../../client/link.ts';
export {
  type AgentCommandEnd,
  type AgentCommandStart,
  type AgentCommands,
  type AgentCommandsOptions,
  createAgentCommands,
  createStandingsReader,
  type OwnedSession,
  type StandingQuery,
  type Standings,
  type StandingsReader,
  sessionKey,
} from './agent-commands.ts';
export { createWorkstations, type ServedPolicy, type Workstations, type WorkstationsOptions } from './workstations.ts';
