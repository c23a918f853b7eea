import type { Level } from '../../map/graph/graph.ts';

export interface MapOptions {
  readonly level: Level;
  readonly focus: string | null;
  readonly depth: number;
  readonly cycles: boolean;
  readonly checkLayers: boolean;
  readonly pr: boolean;
  readonly baseRef: string | null;
  readonly format: 'mermaid' | 'json';
  readonly maxNodes: number;
}
