import { InvalidInput } from '@casefile/contracts';
import { parseScamReports } from './read-scam-reports.js';

const HEADER = 'entityType,entityValue,reportCount,riskScore,firstReportedAt,lastReportedAt,source';

async function problemsOf(text: string): Promise<string[]> {
  try {
    await parseScamReports(text, 'file.csv');
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems.map((problem) => problem.path);
    throw error;
  }
  return [];
}

describe('parseScamReports', () => {
  it('S1-11 reads CSV with quotes, a byte order mark and snake_case headers', async () => {
    const text =
      '\ufeffentity_type,entity_value,report_count,risk_score,source\r\nurl,"http://a.example/?x=1,2",3,70.5,feed\r\n\r\ndomain,Shop.Example,1,20,\r\n';
    expect(await parseScamReports(text, 'file.csv')).toEqual([
      {
        entityType: 'url',
        entityValue: 'http://a.example/?x=1,2',
        reportCount: 3,
        riskScore: 70.5,
        source: 'feed',
      },
      {
        entityType: 'domain',
        entityValue: 'shop.example',
        reportCount: 1,
        riskScore: 20,
        source: 'file.csv',
      },
    ]);
  });

  it('S1-11 reads a JSON array', async () => {
    const report = {
      entityType: 'phone',
      entityValue: '+14155550123',
      reportCount: 47,
      riskScore: 90,
      source: 'desk',
      firstReportedAt: '2026-01-01',
    };
    expect(await parseScamReports(JSON.stringify([report]), 'x')).toEqual([report]);
  });

  it('names every wrong line and field, in the order of the file', async () => {
    const lines = [
      HEADER,
      'phone,+14155550123,47,90,,,desk',
      'phone,415 555,many,900,,,desk',
      'domain,shop.example',
      ',x,1,1,yesterday,,desk',
    ];
    expect(await problemsOf(lines.join('\n'))).toEqual([
      'line 3: reportCount',
      'line 3: riskScore',
      'line 3: entityValue',
      'line 4',
      'line 5: entityType',
      'line 5: firstReportedAt',
    ]);
  });

  it('counts lines as an editor does when a field has line breaks', async () => {
    expect(await problemsOf(`${HEADER}\nurl,"a\nb",1,1,,,desk\nurl,x,-1,1,,,desk`)).toEqual([
      'line 4: reportCount',
    ]);
  });

  it('names columns and entries that it does not know', async () => {
    expect(await problemsOf(`${HEADER},colour\nurl,x,1,1,,,desk,red`)).toEqual(['line 2: colour']);
    expect(await problemsOf('[{"entityType":"url"}, 5]')).toEqual([
      '[0]: entityValue',
      '[0]: reportCount',
      '[0]: riskScore',
      '[1]',
    ]);
  });

  it.each(['', HEADER, '[]'])('refuses a file without a report (%j)', async (text) => {
    expect(await problemsOf(text)).toEqual(['']);
  });

  it('says where quotes are broken', async () => {
    expect((await problemsOf(`${HEADER}\nurl,"x,1,1,,,desk`))[0]).toMatch(/^line \d$/);
  });
});
