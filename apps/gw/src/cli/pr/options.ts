export interface PrOptions {
  readonly yes: boolean;
  readonly maxRetries: number;
  readonly guidelines: string | null;
  readonly baseBranch: string;
  readonly dryRun: boolean;
  readonly config: string | null;
}
