export type { ArchiveFault } from './archive/load.ts';
export {
  absentDocumentation,
  type Documentation,
  type DocumentationRequest,
  openDocumentation,
} from './documentation.ts';
export { openPart } from './open-part.ts';
export { type FilePart, type PageAnswer, refuse } from './pages/answer.ts';
