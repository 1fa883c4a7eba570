const HELVETICA = ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];

/** A font that does not map its glyphs to letters, as objects 5 to 7 of a `rawPdf`. */
export const UNMAPPED_FONT: readonly string[] = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Made /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Made /CIDToGIDMap /Identity /FontDescriptor 7 0 R ' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
  '<< /Type /FontDescriptor /FontName /ABCDEF+Made /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 ' +
    '/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];

/** Operators that write a text in such a font, where glyphs have the order of ASCII. */
export function unmappedText(text: string): Buffer {
  const glyphs = [...text].map((char) => (char.charCodeAt(0) - 29).toString(16).padStart(4, '0'));
  return Buffer.from(`BT /F1 11 Tf 50 700 Td <${glyphs.join('')}> Tj ET`);
}

/**
 * Makes a PDF of one page with the given content unchanged. @param filter Filter of the content, for example
 * `/FlateDecode`.
 */
export function rawPdf(content: Buffer, filter = '', font: readonly string[] = HELVETICA): Buffer {
  const head = `<< /Length ${content.length}${filter === '' ? '' : ` /Filter ${filter}`} >>\nstream\n`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]),
    ...font,
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    places.push(length);
    length += part.length;
    parts.push(part);
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
