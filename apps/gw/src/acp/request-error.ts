import { RequestError } from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { maskLine } from '../redaction/mask-line.ts';

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;
const AUTH_REQUIRED = -32000;

/** Runs a handler; what it throws becomes an error of the protocol whose message the editor shows. */
export async function answering<Result>(handle: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await handle();
  } catch (error) {
    throw requestErrorOf(error);
  }
}

function requestErrorOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = maskLine(errorMessage(error));
  if (error instanceof SignInNeeded) return new RequestError(AUTH_REQUIRED, message);
  return new RequestError(error instanceof WrongUsage ? INVALID_PARAMS : INTERNAL_ERROR, message);
}

/** The editor offers to sign in. */
export class SignInNeeded extends CommandFailed {}
