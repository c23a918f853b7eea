/** A question with what answers it, as the question set writes it down. */
export interface Question {
  readonly id: string;
  readonly corpus: string;
  readonly question: string;
  /** Address of the page that answers, as the corpus gives it; null for a question that nothing covers. */
  readonly page: string | null;
  /** A heading, its own or one above the passage; null where the page as a whole answers. */
  readonly section: string | null;
  readonly answerable: boolean;
  /** `far` marks a question from another world altogether. */
  readonly kind: string;
  /** Other pages that truly answer. */
  readonly alt: readonly string[];
}

/** Reads one question a line. */
export function readQuestions(text: string): Question[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Question);
}
