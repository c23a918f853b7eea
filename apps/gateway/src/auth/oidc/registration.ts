import type { Report } from '../../process/report.ts';

/** Adds subjects to the registry of accounts, each once at a time, without delaying their calls. */
export function registration(register: (subject: string) => Promise<void>, report: Report): (subject: string) => void {
  const entering = new Set<string>();
  return (subject) => {
    if (entering.has(subject)) return;
    entering.add(subject);
    register(subject)
      .catch((error: unknown) =>
        report(`An identity of the identity provider could not be registered: ${String(error)}`),
      )
      .finally(() => entering.delete(subject));
  };
}
