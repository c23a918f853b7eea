import { type Line, type Span, type Style, span, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';
import { modelLabel, type UiState } from './state.ts';

const MODES: Readonly<Record<UiState['mode'], readonly [string, Style]>> = {
  normal: ['normal', { dim: true }],
  plan: ['plan mode', { color: 'blue', bold: true }],
  auto: ['auto mode', { color: 'yellow', bold: true }],
};
/** From here on the context meter is a warning: compaction is near. */
const NEARLY_FULL = 0.8;

/** Mode, model, context and tokens, or a hint instead. */
export function statusLine(state: UiState, columns: number): Line {
  const [mode, style] = MODES[state.mode];
  if (state.hint !== '') return truncate([span(safeLine(state.hint), { color: 'yellow' })], columns);
  const parts: Span[] = [span(mode, style), span(` · ${safeLine(modelLabel(state))}`, { dim: true })];
  const { contextLength, contextTokens } = state;
  if (contextLength !== null && contextTokens > 0) {
    const share = contextTokens / contextLength;
    parts.push(
      span(' · ', { dim: true }),
      span(`context ${Math.round(share * 100)}%`, share >= NEARLY_FULL ? { color: 'red' } : { dim: true }),
    );
  } else if (contextTokens > 0) parts.push(span(` · context ${tokens(contextTokens)}`, { dim: true }));
  if (state.inputTokens + state.outputTokens > 0)
    parts.push(span(` · ${tokens(state.inputTokens)} in, ${tokens(state.outputTokens)} out`, { dim: true }));
  if (state.cost !== null) parts.push(span(` · ${euros(state.cost)}`, { dim: true }));
  return truncate(parts, columns);
}

/** `€0.0042`, `€1.30`: small amounts with the digits that say something. */
export function euros(amount: number): string {
  return `€${amount > 0 && amount < 0.1 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

/** `950`, `1.2k`, `34k`, `1.5M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
