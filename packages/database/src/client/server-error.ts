/** The server's answer to a statement that it refused, or to a connection that it ends (PostgreSQL manual, ErrorResponse). */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /** SQLSTATE. */
  readonly code: string;
  /** `ERROR`, or `FATAL` or `PANIC` where the connection is over; in English whatever the server's language. */
  readonly severity: string;
  /** Empty where no constraint is concerned. */
  readonly constraint: string;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'the server refused without a reason');
    this.code = fields.get('C') ?? '';
    this.severity = fields.get('V') ?? fields.get('S') ?? 'ERROR';
    this.constraint = fields.get('n') ?? '';
  }

  get isFatal(): boolean {
    return this.severity !== 'ERROR';
  }
}
