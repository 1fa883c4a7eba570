const PIECE = 40;

/** A text as it is streamed: whole characters, for a half one would not survive on its own. */
export function pieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / PIECE);
  return Array.from({ length: count }, (_none, index) =>
    characters.slice(index * PIECE, (index + 1) * PIECE).join(''),
  );
}
