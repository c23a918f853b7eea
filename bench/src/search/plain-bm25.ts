/** BM25 as the textbooks give it: whole lower-case words, no stems, no stop words, one field. */
const [SATURATION, NORMALISED] = [1.2, 0.75];

export function plainBm25(texts: readonly string[]) {
  const documents = texts.map(wordsOf);
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length);
  const postings = new Map<string, Map<number, number>>();
  for (const [number, words] of documents.entries()) {
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      counts.set(number, (counts.get(number) ?? 0) + 1);
      postings.set(word, counts);
    }
  }
  return (question: string, most: number): { document: number; score: number }[] => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(question))) {
      const counts = postings.get(word);
      if (!counts) continue;
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [document, count] of counts) {
        const length = (documents[document]?.length ?? 0) / mean;
        const weight = (count * (SATURATION + 1)) / (count + SATURATION * (1 - NORMALISED + NORMALISED * length));
        scores.set(document, (scores.get(document) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .map(([document, score]) => ({ document, score }))
      .sort((one, other) => other.score - one.score)
      .slice(0, most);
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
