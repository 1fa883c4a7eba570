import PDFDocument from 'pdfkit';

export interface PdfSection {
  title: string;
  level: number;
  text: string;
}

export interface PdfOptions {
  bookmarks?: boolean;
  /** Whether headings have larger letters than the body. */
  largeHeadings?: boolean;
  userPassword?: string;
  running?: string;
  title?: string;
  language?: string;
}

/** Makes a PDF with one section per page. */
export function makePdf(sections: readonly PdfSection[], options: PdfOptions = {}): Promise<Buffer> {
  const { bookmarks = false, largeHeadings = true, userPassword, running, title, language } = options;
  const pdf = new PDFDocument({
    size: 'A4',
    autoFirstPage: false,
    compress: true,
    info: title === undefined ? {} : { Title: title },
    ...(userPassword === undefined ? {} : { userPassword }),
    ...(language === undefined ? {} : { lang: language }),
  });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(parts))));
  const above: PDFKit.PDFOutline[] = [pdf.outline];
  sections.forEach((section, i) => {
    pdf.addPage();
    if (running !== undefined)
      pdf
        .fontSize(8)
        .text(`${running} ${i + 1}`, 72, 40)
        .text('', 72, 80);
    if (bookmarks) above[section.level] = (above[section.level - 1] ?? pdf.outline).addItem(section.title);
    if (section.title !== '') pdf.fontSize(largeHeadings ? 22 - section.level * 3 : 11).text(section.title);
    pdf.moveDown().fontSize(11).text(section.text);
  });
  if (sections.length === 0) pdf.addPage();
  pdf.end();
  return ended;
}
