export type { ArchiveFault } from './archive/load.ts';
export {
  absentDocumentation,
  type Documentation,
  type DocumentationRequest,
  openDocumentation,
  openPart,
} from './documentation.ts';
export { type FilePart, type PageAnswer, refuse } from './pages/answer.ts';
