import { ask, type ControlPlane, ControlPlaneFailed } from './control-plane.ts';

/** `unknown`: the gateway did not say. Its relay checks every call by itself. */
export type Standing = 'in force' | 'revoked' | 'unknown';

/** Whether a session was revoked. Asked between turns, for a turn may use models that are not behind the gateway. */
export async function readStanding(plane: ControlPlane, session: string, signal?: AbortSignal): Promise<Standing> {
  try {
    const answer = await ask(plane, { path: `/ide/sessions/${encodeURIComponent(session)}/standing`, signal });
    const { standing } = answer;
    return standing === 'in force' || standing === 'revoked' ? standing : 'unknown';
  } catch (error) {
    if (error instanceof ControlPlaneFailed) return 'unknown';
    throw error;
  }
}
