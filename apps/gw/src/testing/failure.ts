/** The message of the error with which work ends, for work whose end comes after other steps of a test. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'It did not fail.';
}
