import { Anchor, type AnchorProps, Text, type TextProps } from '@mantine/core';

/** In one line the ellipsis stands at its end, wherever a word would break. */
const breaksOf = (lines: number) =>
  lines === 1 ? ({ wordBreak: 'break-all' } as const) : ({ overflowWrap: 'anywhere' } as const);

/** A text that makes no row higher than others: it ends with an ellipsis, and the whole is in the title. */
export function Clamped({ lines = 1, children, ...look }: { lines?: number; children: string } & TextProps) {
  return (
    <Text size="sm" lineClamp={lines} title={children} style={breaksOf(lines)} {...look}>
      {children}
    </Text>
  );
}

/** The same, as a link, or as a button where there is no address. */
export function ClampedLink({
  lines = 1,
  children,
  href,
  onClick,
  ...look
}: { lines?: number; children: string; href?: string; onClick?: () => void } & AnchorProps) {
  const cut = { size: 'sm', lineClamp: lines, title: children, style: breaksOf(lines), ...look } as const;
  return href === undefined ? (
    <Anchor component="button" type="button" ta="left" onClick={onClick} {...cut}>
      {children}
    </Anchor>
  ) : (
    <Anchor href={href} {...cut}>
      {children}
    </Anchor>
  );
}

/** A readable name with the identifier below it. */
export function Named({ name, slug }: { name: string; slug: string }) {
  return (
    <>
      <Clamped fw={500} miw="min(160px, 24vw)">
        {name}
      </Clamped>
      <Clamped size="xs" c="dimmed" ff="monospace">
        {slug}
      </Clamped>
    </>
  );
}
