import { Box, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './text-editor.module.css';

/** A fault of a text, and its position. */
export interface PlacedFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface TextEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly faults: readonly PlacedFault[];
  readonly rows?: number;
  /** The keyboard goes there as soon as this is so. */
  readonly takesFocus?: boolean;
  /** What Ctrl or Command with Enter does. */
  readonly onSubmit?: () => void;
}

/** A text with numbered lines. Lines with faults are marked, and each fault moves the cursor to its position. */
export function TextEditor(props: TextEditorProps) {
  const { label, value, onChange, faults, rows = 14, takesFocus = false, onSubmit } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  const lines = value.split('\n');
  const faulty = new Set(faults.map(({ line }) => line));
  const goTo = ({ line, column }: PlacedFault) => {
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at + 1);
  };
  useEffect(() => {
    if (takesFocus) area.current?.focus();
  }, [takesFocus]);
  return (
    <Box>
      <div className={classes['frame']} style={{ height: `${rows * 1.5}em` }}>
        <div className={classes['numbers']} ref={numbers} aria-hidden="true">
          {lines.map((_, index) => (
            // The number is the line's identity here.
            <div key={`line ${index + 1}`} className={faulty.has(index + 1) ? classes['faulty'] : ''}>
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          ref={area}
          className={classes['text']}
          aria-label={label}
          aria-invalid={faults.length > 0}
          spellCheck={false}
          wrap="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && onSubmit?.()}
          onScroll={(event) => {
            if (numbers.current !== null) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <FaultList faults={faults} goTo={goTo} />
    </Box>
  );
}

/** The faults of a text. Each moves the cursor to its position. */
export function FaultList({ faults, goTo }: { faults: readonly PlacedFault[]; goTo: (fault: PlacedFault) => void }) {
  if (faults.length === 0) return null;
  return (
    <ul className={classes['faults']}>
      {faults.map((fault) => (
        <li key={`${fault.line}:${fault.column}:${fault.message}`}>
          <Text
            component="button"
            type="button"
            size="sm"
            c="red"
            className={classes['fault'] ?? ''}
            onClick={() => goTo(fault)}
          >
            Line {fault.line}, column {fault.column}: {fault.message}
          </Text>
        </li>
      ))}
    </ul>
  );
}
