const PIECE = 40;

/** Splits a text for streaming, only between whole characters: half a surrogate pair could not be encoded. */
export function pieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / PIECE);
  return Array.from({ length: count }, (_none, index) =>
    characters.slice(index * PIECE, (index + 1) * PIECE).join(''),
  );
}
