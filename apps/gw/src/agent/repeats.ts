/** Identical failing calls after which a turn ends. */
const MOST_FAILURES = 3;
/** Identical successful calls in a row after which the person is asked. */
export const MOST_SUCCESSES = 10;

/** Counts identical calls within a turn: those that fail, and those that succeed in a row. */
export function createRepeats() {
  const failed = new Map<string, number>();
  let latest = '';
  let inRow = 0;
  return {
    /** `failing`: it has now failed three times. `looping`: it succeeded ten times in a row. */
    note(call: { readonly name: string; readonly arguments: string }, outcome: string): 'failing' | 'looping' | null {
      const key = `${call.name}\0${call.arguments}`;
      inRow = key === latest ? inRow + 1 : 1;
      latest = key;
      if (outcome !== 'failed') {
        failed.delete(key);
        if (outcome !== 'succeeded' || inRow < MOST_SUCCESSES) return null;
        inRow = 0; // asked again after as many more
        return 'looping';
      }
      const count = (failed.get(key) ?? 0) + 1;
      failed.set(key, count);
      return count >= MOST_FAILURES ? 'failing' : null;
    },
  };
}
