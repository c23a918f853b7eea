export type { Answer, FilePart } from './answer.ts';
export type { ArchiveFault } from './archive/load.ts';
export {
  absentDocumentation,
  type Documentation,
  type DocumentationRequest,
  openDocumentation,
} from './documentation.ts';
export { isDocumentationTarget } from './pages/target.ts';
