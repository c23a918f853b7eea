/** Identical failing calls after which a turn ends. */
const MOST_REPEATS = 3;

/** Counts identical calls that fail one after the other within a turn; a call that succeeds begins again. */
export function createRepeats() {
  const failed = new Map<string, number>();
  return {
    /** True where the call has now failed three times. */
    note(call: { readonly name: string; readonly arguments: string }, outcome: string): boolean {
      const key = `${call.name}\0${call.arguments}`;
      if (outcome !== 'failed') {
        failed.delete(key);
        return false;
      }
      const count = (failed.get(key) ?? 0) + 1;
      failed.set(key, count);
      return count >= MOST_REPEATS;
    },
  };
}
