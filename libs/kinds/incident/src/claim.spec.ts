import fc from 'fast-check';
import { incidentSchema, prepareIncident } from './alert.js';
import { alertClaim } from './claim.js';

const strengthOf = (text: string) => alertClaim({ text })?.strength ?? null;
const readAs = (text: string) => {
  const alert = { id: 'a', playbook: 'incident', text, receivedAt: '2026-03-02T10:20:00Z' };
  const { input } = prepareIncident(alert);
  return incidentSchema.parse(input);
};

describe('the claim of an incident on a text that names no kind', () => {
  it.each([
    ['Checkout is down for every customer since 10:02 UTC, 500s from each gateway. P1.'],
    ['Login API in eu-west-1 unreachable, error rate 64 %, started 08:15'],
    ['disk on db-primary at 98 %'],
    ['Kubernetes pod payments-7f9 OOMKilled 4 times in the last 10 minutes'],
    ['Card payments fail for all users in Spain. Nothing was deployed today.'],
    ['VPN gateway is not responding, the whole Leeds site is offline'],
    ['Die Datenbank ist seit 9:40 Uhr nicht erreichbar, alle Bestellungen schlagen fehl'],
    ['Störung im Rechenzentrum Nord: Server antworten nicht'],
    ['Le site de paiement est hors service depuis 14h, erreurs 503 pour tous les clients'],
    ['El servidor de pagos no responde desde las 10:15, todos los clientes afectados'],
    ['O banco de dados caiu, o checkout está fora do ar desde 9h40'],
    ['Il server di posta non risponde dalle 8:30, nessun utente riceve messaggi'],
    ['De database is onbereikbaar, de webwinkel ligt plat'],
    ['Baza danych nie odpowiada od 8:00, sklep nie działa u klientów'],
    ['Сервер базы данных не отвечает с 09:30, сайт лежит'],
    ['Sunucu çöktü, ödeme sayfasına erişilemiyor'],
    ['支付系统从上午十点开始无法访问，所有用户报错'],
    ['決済サービスがダウンしています。10時からエラーが発生'],
    ['결제 서버 장애 발생, 모든 사용자 접속 불가'],
    ['सर्वर डाउन है, वेबसाइट काम नहीं कर रही'],
    ['الخادم لا يستجيب منذ الساعة 10 والموقع متوقف'],
    ['Databasen svarar inte, betalningar misslyckas sedan 07:50'],
    ['Palvelin ei vastaa, verkkokauppa on alhaalla'],
    ['Server cơ sở dữ liệu bị sập, khách hàng không truy cập được'],
    [
      '[FIRING:1] HighErrorRate payments (critical)\nSeverity: critical\nDashboard: https://grafana.example/d/abc',
    ],
    [
      '***** Nagios *****\n\nNotification Type: PROBLEM\nService: HTTP\nHost: web01\nState: CRITICAL\n\nAdditional Info:\nConnection refused',
    ],
    [
      '2026-03-02T10:02:03Z ERROR payments: connection refused to db-1:5432\n2026-03-02T10:02:04Z ERROR payments: please check your configuration, retry 3',
    ],
    [
      'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n    at com.shop.Cart.load(Cart.java:88)',
    ],
    ['RECOVERY: host web01 is UP'],
  ])('T-11 recognises an outage without a sign of a message to a person: %s', (text) => {
    expect(strengthOf(text)).toBe('recognises');
  });

  it.each([
    ['Hi team, checkout is down since 10:02, can you have a look? https://status.example/123'],
    ['Hallo Thomas, der Server ist down, ruf mich bitte an'],
    ['The payment service is not responding. Call 0800 555 0199.'],
    ['Bonjour, le serveur est en panne, pouvez-vous regarder ?'],
    ['The login service is down, verify your account at https://bank-login.example/now'],
    ['Status: critical\nReason: login failed\nService: online banking\nYour access ends today'],
    ['RESOLVED: card service\nStatus: OK\nhttps://card-service.example/confirm'],
  ])('T-11 does not decide for a text that also speaks to a person: %s', (text) => {
    expect(strengthOf(text)).toBe('resembles');
  });

  it.each([
    ['Hi Mom, I dropped my phone, this is my new number. Text me on WhatsApp +44 7700 900123'],
    ['Dear customer, your account is suspended. Update your card: http://billing.example'],
    ['Power outage in your area tonight 9:30 pm. Call 9876543210 to avoid disconnection'],
    ['The parcel is with the neighbour'],
    ['Stuck in traffic, home by 8'],
    ['Réunion déplacée à 15h'],
    ['Server maintenance finished, all services running normally.'],
    ['पिताजी की दवा ले आना'],
    ['ランチは12時にロビーで'],
    [''],
  ])('T-11 leaves what describes no outage: %s', (text) => {
    expect(strengthOf(text)).toBeNull();
  });

  it('T-11 says what it recognised, and leaves a text with an image', () => {
    const text = 'Checkout is down for all customers. P1.';
    expect(alertClaim({ text })?.why).toBe(
      'The text describes an outage ("is down", "down for", "p1", "checkout") and has no sign of a message to a person.',
    );
    expect(alertClaim({ text, image: { mediaType: 'image/png', base64: 'AA==' } })?.strength).toBe(
      'resembles',
    );
    expect(
      alertClaim({ payload: { alert: { labels: { alertname: 'X', severity: 'critical' } } } })?.strength,
    ).toBe('recognises');
  });

  it('T-11 gives way to any greeting, request or link that is put before an outage', () => {
    const greetings = ['Dear customer', 'Hallo', 'Bonjour', 'Hola', 'Здравствуйте', '您好', 'नमस्ते'];
    const extra = fc.constantFrom(...greetings, 'Please note', 'Click here', 'http://x.example');
    fc.assert(
      fc.property(extra, (before) => {
        expect(strengthOf(`${before}, checkout is down for all customers, 500s everywhere`)).toBe(
          'resembles',
        );
      }),
    );
  });
});

describe('an incident from a plain text', () => {
  it('T-11 has a short title, its severity and since when it lasts', () => {
    const outage = readAs('Checkout is down for all customers since 10:02 UTC. 500s from all gateways. P1.');
    expect(outage).toMatchObject({
      name: 'Checkout is down for all customers since 10:02 UTC',
      severity: 'critical',
      startsAt: '2026-03-02T10:02:00.000Z',
    });
  });

  it.each([
    ['P1! Payments fail since 23:50 UTC', '2026-03-01T23:50:00.000Z', 'critical'],
    ['Kritische Störung: Datenbank seit 9:40 UTC nicht erreichbar', '2026-03-02T09:40:00.000Z', 'critical'],
    ['2026-03-02T09:58:03Z FATAL db: connection refused', '2026-03-02T09:58:03.000Z', 'unknown'],
    ['Site down since 2026-03-02 11:15 +0200', '2026-03-02T09:15:00.000Z', 'unknown'],
    ['紧急：支付系统无法访问', null, 'critical'],
  ])('T-11 reads start and severity of %s', (text, startsAt, severity) => {
    expect(readAs(text)).toMatchObject({ startsAt, severity });
  });

  it('T-11 gives a start without a time zone as it is written, and none that it does not know', () => {
    const outage = readAs('El servidor de pagos no responde desde las 10:15');
    expect(outage).toMatchObject({
      startsAt: null,
      details: ['since, without a time zone: desde las 10:15'],
    });
  });

  it('T-11 drops the head of a log line from its title', () => {
    expect(readAs('2026-03-02T09:58:03Z ERROR payments: connection refused to db-1').name).toBe(
      'payments: connection refused to db-1',
    );
  });
});
