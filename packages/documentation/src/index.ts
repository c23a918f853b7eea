export type { ArchiveFault } from './archive/load.ts';
export {
  absentDocumentation,
  type Documentation,
  type DocumentationRequest,
  openDocumentation,
} from './documentation.ts';
export { openPart } from './open-part.ts';
export { type Answer, type FilePart, refuse } from './pages/answer.ts';
