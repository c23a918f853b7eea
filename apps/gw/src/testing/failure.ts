import { errorMessage } from '@gateway/contract/error-code';
/** The message of the error with which work ends, for work whose end comes after other steps of a test. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return errorMessage(error);
  }
  return 'It did not fail.';
}
