import { errorCode } from '@gateway/contract/error-code';

/** Whether a process of this number exists, of any user; one that has ended and was not waited for does. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
