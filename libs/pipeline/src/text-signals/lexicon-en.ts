import type { Lexicon } from './kinds.js';

/** English, as this year's messages have it. Word families and constructions, no sentences. */
export const english: Lexicon = {
  language: 'en',
  families: {
    title: 'mr mrs ms miss dr doctor sir madam professor captain coach',
    hello: 'hi hey hello hiya dear good_morning good_afternoon good_evening greetings salaam namaste',
    pay: 'pay pays paying send sends sending transfer transferring wire deposit remit settle settling forward top_up put_in invest chip_in buy buying paid',
    fee: 'fee fees charge charges tax taxes duty toll fine penalty postage deposit commission premium insurance dues balance handling levy stamp excess surcharge arrear arrears',
    block:
      'block* suspend* lock* deactivat* disconnect* terminat* restrict* frozen freez* close* closing cancel* expir* delet* disabl* limited cut seiz* hold held forfeit* revok* blacklist* released removed lapse*',
    account:
      'account accounts a_c card cards wallet profile service services licence license registration power supply electricity line connection number sim membership access booking reservation order funds page visa pass plan tag subscription policy passport benefit benefits licence',
    secret:
      'otp code codes pin pins password passcode cvv cvc passphrase seed_phrase recovery_phrase secret_phrase login logins credentials card_number card_details card_no sort_code account_number bank_details bank_info net_banking security_code digits pac_code upc',
    give: 'send sends sending share tell give giving read enter entering type submit provide forward reply text message fill confirm verify update supply key put',
    kin: 'mum mom mummy dad daddy papa grandma grandpa gran nan granny auntie aunty uncle',
    office:
      'police cbi fbi customs court judge irs hmrc ato dvla dmv ministry immigration embassy tribunal sheriff narcotics interpol cyber_cell crime_branch trai fedex_officer regulator enforcement bailiff government govt council revenue',
    gift: 'gift_card gift_cards giftcard giftcards vouchers voucher_codes steam_card itunes play_card google_play_card razer_gold apple_card scratch*',
    coin: 'bitcoin btc eth ethereum usdt crypto tether dogecoin solana wallet_address xrp bnb',
  },
  signals: {
    asks_money: {
      weak: `
        lend ?me ~ $
        borrow ~ $
        @pay ~ MONEY
        need/needs ~ MONEY
        donate/donation
        help ~5 PAYID/HANDLE
        pay/settle ~ today/tonight/now`,
      plain: `
        @fee ~4 unpaid/outstanding/overdue/owed/owing/pending
        unpaid/outstanding/overdue ~ @fee
        settle/pay ~ online/here/via
        pay/settle/clear/send ~6 LINK/COIN
        send/transfer ~ any_amount/amount
        pay/transfer ~5 sort_code/account_below
        could/can you ~ send/pay/transfer/cover ~ MONEY/money/it_for_me
        pay you back
        repay/pay_you/refund_you ~4 back/friday/monday/later/tomorrow/double/minute/soon
        make/process/arrange a payment
        urgent/quick payment/transfer/favour/favor
        bank transfer ~5 friends_and_family/family
        friends and family
        new/updated/different/changed ~ account/bank/remittance/payment details
        remittance/payment/bank details ~8 changed/change/new/attached/updated/below
        change ~5 salary/payroll/direct_deposit/pay_goes/bank_details
        moved/switched/changed banks
        invoice ~8 attached/scheduled/today/paid
        into our ~4 account instead
        hospital/surgery/operation ~8 MONEY/bill/balance/pay
        stranded/mugged/robbed ~10 money/pay/send`,
      strong: `
        transfer/send/move ~4 $ ~4 to/in COIN/bitcoin/wallet
        send ~8 receive/get ~ double/twice/back
        move/transfer ~4 money/funds/balance/savings ~4 safe/secure/protected/supervised/new/another
        safe/secure/protected/supervised account`,
    },
    asks_fee: {
      weak: `
        holding/security deposit`,
      plain: `
        refundable/activation/clearance/processing/registration/file/redelivery/handling/release/withdrawal/embassy/unlock*/admin/joining/verification/onboarding/training @fee/fees/charge/charges
        release/clearance/withdrawal/exit/wallet @fee
        @fee ~5 refundable
        refundable @fee/sum/amount
        only ~3 shipping/postage/delivery/registration/processing
        shipping/postage/delivery ~ to_pay/fee/charge
        @fee ~4 first/upfront/up_front/beforehand/in_advance
        pay/send/deposit ~6 before ~6 release*/transfer*/deliver*/viewing/visit/start
        pay/transfer/send ~4 @fee
        payable first
        first month ~6 deposit
        deposit ~8 before/secure/hold/reserve/keys/courier/viewing
        pay/paid ~ their insurance/courier/shipping
        fee/charge/tax/payment ~4 to release/unlock/activate/claim/process/receive/withdraw/secure/reserve/hold/avoid/deliver/redeliver/clear
        small/nominal/tiny ~ @fee/payment/amount/shipping
        customs/import/delivery/shipping/redelivery/duty/handling ~3 @fee/charge
        visa/medical/ticket/embassy ~3 @fee/charge/paid
        $ ~3 release/customs/clearance/processing/shipping/redelivery/activation/verification/registration
        advance payment/fee
        payment/paid in advance
        prepayment/prepay/upfront`,
    },
    asks_secret: {
      weak: `
        verify/confirm/validate/update/check ~ your/ur/the ~ details/information/info/identity/data/payment
        sign_in/log_in/login/signin ~4 LINK`,
      plain: `
        confirm where you
        enter/submit/provide/give/send/share/type ~5 @secret
        @give ~3 your/ur/card ~ @secret
        verify/confirm/validate/update/re/reverified/revalidate/submit/add/register ~4 card/bank/account/payment/billing/wallet/kyc/pan/aadhaar/address/identity/singpass/itsme
        @give ~5 LINK/password/login
        card/account ~ verified/validated/confirmed/authenticated
        log/sign in ~6 claim/verify/receive/get/continue/confirm/see/view
        login with
        sign with ~ wallet
        connect ~ wallet
        seed/recovery/secret phrase
        update ~4 card/billing/payment
        fill ~6 bank/card/account
        submit ~3 card/documents`,
      strong: `
        @give ~4 code/codes/otp/digits/pin ~6 you/just/got/receive*/sent/texted/back/me
        code/digits/number ~5 send/read/forward/tell/give/pass/screenshot ~ me/us/it/over/back/quick
        # digit code/number/pin ~10 send/forward/tell/share/text/read
        got/get/receive ~4 code ~8 send/tell/read/share/screenshot
        reply/answer ~3 with ~6 code/otp/pin/pac/upc/digits/number/letters
        enter ~6 passcode/password/otp/pin/cvv
        number/code your phone/mobile ~ got
        numbers ~ under ~ silver/strip/back`,
    },
    asks_documents: {
      weak: `
        send ~3 your ~2 name/address/details
        reply with ~4 name/details/address`,
      plain: `
        send/share/upload/submit ~5 passport/aadhaar/aadhar/pan/selfie/id/licence/ssn/documents
        full name ~5 address
        name ~ address ~ age/phone/occupation
        account/bank details ~5 to/for/receive
        photo/picture/copy of ~4 passport/id/card/licence/aadhaar`,
    },
    collect_trick: {
      plain: `
        sent/transferred/paid ~8 by mistake/accident
        by_mistake/accidentally/mistakenly ~ sent/transferred/paid
        wrong number/account ~6 send/return/refund
        send/return ~ it/money/rest/difference/balance/extra ~ back
        overpaid/overpayment
        courier/driver/mover ~8 cash/collect/pick/pay
        confirm ~ card ~8 release/receive/get`,
      strong: `
        scan ~6 qr/code ~8 receive/get/pin/credited
        qr ~6 receive/credited
        pin ~6 receive/credited`,
    },
    deadline: {
      weak: `
        within/in/next ?the ?next # hour*/hr*/min*/day*/h/working
        before/by/until ~2 midnight/tonight/today/tomorrow/TIME/noon/friday/monday
        last/final chance/warning/reminder/notice/call/day/hours
        expire*/expiring/ends ~3 today/tonight/soon/in/midnight
        immediately/urgent/urgently/asap/right_away/at_once/straight_away/straightaway/right_now/promptly/instantly
        only # ~ hour*/place*/seat*/spot*/left/slot*/room
        act now/fast/quick*
        hurry/hurry_up/limited_time/limited_slots
        one/two/few hour* ~ left
        runs out
        today only
        dont delay
        without delay
        same day
        quick/quickly`,
    },
    threat: {
      plain: `
        @account ~6 be/been/is/get/was/has ~2 @block
        @account ~3 @block
        @block ~5 your/ur/my/the ~2 @account
        to avoid/prevent/stop ~6 @block/penalt*/fee*/late/suspension/interruption/losing/legal/disconnection/charges/fine
        avoid losing/suspension/interruption
        or/otherwise/else ~8 suspend*/block*/lock*/disconnect*/delet*/terminat*/close/closed/return*/destroy*/lose/lost/forfeit*/doubl*/report*
        returned/return/sent_back/goes_back ~3 to ~ sender/depot
        will be/get ~2 returned/destroyed/lost/forfeited/deleted/disconnected/suspended/terminated
        late/additional/extra/penalty fee*/charge*/penalt*
        failure to
        lose/losing ~4 data/access/account/files/it
        goes/go back to ~ fund/state/sender`,
    },
    legal_threat: {
      plain: `
        fir ~3 registered/filed/lodged/against/number
        arrest*/warrant/prosecut*/lawsuit/jail/imprison*/summons
        legal action/proceedings
        money laundering
        criminal/court ~ case/charges/action/proceedings/record
        debt collect*/recovery
        case/complaint ~4 registered/filed/lodged ~4 against/you
        collections agency`,
      strong: `
        digital arrest/custody
        stay ~5 video/camera/skype/line/call
        @office ~10 warrant/arrest/laundering/drugs/narcotics
        parcel/package ~10 drugs/mdma/narcotics/illegal/passports`,
    },
    blackmail: {
      plain: `
        your/edited/private/nude ~3 photos/pictures/video/pics ~8 contacts/everyone/family/friends/wife/group
        recovery agent/agents/team
        your ~2 contacts/gallery ~4 access/have`,
      strong: `
        record* ~8 camera/webcam/you/video_call/screen
        camera/webcam ~6 record*/on/access/you
        video/photos/pictures/clip/footage/pics/nudes/screenshots ~8 sent/send/go/goes/share*/post*/publish*/disappear*/delete*/leak*/upload*/online/viral
        adult/porn/dirty/naughty ~ site*/website*/video*/sites
        video ~8 contacts/family/friends/colleagues/followers/wife/husband
        morphed/masturbat*/naked/nude*
        infected/hacked/malware/spyware/trojan ~10 your/device/computer/webcam
        police ~6 pointless/useless/dont/no_use`,
    },
    poses_bank: {
      weak: `
        dear ~2 customer/user/cardholder/client
        your bank
        bank ~2 alert/notice/security/team`,
      plain: `
        security/digital/mobile key ~6 deactivated/expires/renew/expired
        couldnt/could_not be ~1 sent ~4 card/account
        fraud/security/verification/billing/refund ~ team/department/dept/desk/unit
        calling/call from ~4 bank/visa/mastercard
        new payee ~8 added
        unusual/suspicious/unauthori*/unrecogni*/attempted ~3 activity/login/sign/transaction/payment/access/transfer/device/purchase
        payment/transfer ~6 ?if ~3 not/wasnt/didnt ~3 you`,
    },
    poses_authority: {
      weak: `
        @office
        officer/inspector/agent/constable/sergeant/barrister/attorney`,
      plain: `
        this is/im/i_am ~2 inspector/officer/sergeant/detective/agent/constable/lawyer/barrister/attorney
        from ~4 @office
        tax refund/rebate/return
        @office ~6 refund/rebate/payment/penalty/notice/verify/arrest/fine
        final/official notice
        winter/heating/energy/fuel/living ~3 payment/allowance/rebate/grant/discount
        council tax
        jury duty
        social_security/national_insurance/ssn
        debt/student/loan ~2 relief/forgiveness
        unclaimed ~2 money/funds/property
        unpaid toll/fine/ticket/parking/congestion
        parking/speeding/traffic ~2 fine/ticket/penalty/charge/violation
        penalty charge
        toll ~6 unpaid/owed/balance/due/outstanding`,
    },
    poses_carrier: {
      plain: `
        parcel/package/shipment/delivery/item/letter ~8 @block/fail*/unsuccessful/could_not/couldnt/cant/unable/incomplete/missed/returned/waiting/stopped/warehouse/depot/pending/detained
        could/can not ~ deliver*
        couldnt/cant/unable_to/unable/tried_to/attempted_to deliver
        incomplete/invalid/wrong/incorrect/missing/insufficient ~2 address/house/postcode/street
        address ~4 incomplete/invalid/wrong/incorrect/missing/problem/update
        missed ~2 delivery/parcel
        redelivery/redeliver/reschedule/re_schedule
        customs ~6 parcel/package/held/hold/duty/clearance`,
    },
    poses_company: {
      weak: `
        customer/technical/tech support/service/care/team
        support team/agent/desk/center/centre
        helpline/help_desk/toll_free`,
      plain: `
        from ~3 support/microsoft/amazon/apple/netflix/meta/whatsapp/google/paypal/indeed/linkedin/tiktok/recruitment
        certified ~2 technician*/engineer*/expert*
        windows defender
        microsoft/apple/google/norton/mcafee/geek_squad ~5 technician*/support/renew*/security
        our/the technician*/engineer*
        cancellation/billing/refund* ~2 team/desk/department/line/agent/centre
        renew* ~6 charged/charge/debit*/MONEY/account
        for renewing/subscribing
        auto/automatic* renew*
        will be charged/debited/deducted/billed/taken`,
    },
    poses_relative: {
      weak: `
        are you ?at ?your ~1 busy/desk/around/available END
        at your desk
        hi/hey/hello @kin
        are you ~3 desk/busy/free/available/around/office`,
      plain: `
        kept/keep this/it between
        rather than by/on phone
        reply here ~1 rather
        new/different bank ~2 as of/from/this
        moved to ~1 new bank
        update your records
        someone discreet
        letter/letterhead ~1 enclosed/attached
        acquisition
        vouchers nearby
        answer as soon as ~4 serious
        cant speak on
        look_after/handle/take_care_of ~1 something ~4 me
        back to back ~1 calls/meetings
        drop/send ~2 your cell/mobile/whatsapp
        change ~4 account ~2 wages/salary/pay
        its me ~12 crash/accident/lawyer/trouble/police
        crash/accident ~12 cash/lawyer/bail/pay/pregnant
        delete the other/old
        had a swim
        shell/hell/would kill me
        locked me out ~8 pay/cover/bill
        @kin ~12 dropped/broke*/lost/smashed/broken/cracked/stolen ~4 phone/mobile/screen
        dropped/broke/lost/smashed/cracked my phone
        phone ~4 broken/broke/smashed/stolen/lost/toilet/loo/sink/repair*
        guess who
        stuck/tied in ~3 meeting/conference/call
        in a ~2 meeting ~10 need/can/favour/favor/task
        can you ~3 favour/favor/something/task/quietly/discreetly
        cant talk/call/speak/take_calls
        need ~4 done/favor/favour/task/errand ~4 quiet*/discreet*/urgent*/quick*/for_me
        been in ~3 accident
        bail
        do me a favour/favor
        sent from my ipad
        who ~6 signs/approves/handles ~4 payment*/invoice*/transfer*`,
    },
    urges_click: {
      weak: `
        call ~8 PHONE
        ring/dial/phone ~8 PHONE
        click/tap/follow/open/visit/press/use/view/check/see ~4 link/here/below/LINK/now
        reply y/yes/1/now
        activate ~ link
        LINK`,
      plain: `
        click ~4 link/here/below/button
        reply y ~6 reopen/open/close/exit
        reopen/open/activate ~5 link
        if ~2 not/didnt/wasnt/did_not/was_not ~8 call/contact/ring/click/tap/visit/cancel/reply ~8 PHONE/LINK/team/desk`,
    },
    install: {
      plain: `
        download/install ~6 app/apk/file/software/below/card/attachment/photo
        install to open
        invitation/invite/card ~8 download/install/APK`,
      strong: `
        APK`,
    },
    remote_access: {
      strong: `
        anydesk/teamviewer/rustdesk/quicksupport/ultraviewer/airdroid/screenconnect/supremo/alpemix
        connect*/access* ~4 your/to_your ~2 computer/screen/pc/device/phone/laptop
        share ~2 screen
        remote access/support/session/connection
        take control
        press allow
        computer/pc/device ~4 locked/infected/virus
        virus*/trojan/spyware/malware ~5 detected/found/your/computer
        connects ~3 from here`,
    },
    prize: {
      weak: `
        congratulation/congratulations/congrats/winner/lucky
        free ~2 iphone/laptop/tickets/gift/voucher/recharge/data/crypto/coins/skins/diamonds/robux/vbucks/v/bucks`,
      plain: `
        anniversary ~1 draw
        came out ~5 draw
        we owe you
        owe you MONEY
        overpaid
        where ~2 you ~1 want ~3 receive/it
        where to send it
        you ~3 won/win/winner/selected/chosen
        won ~4 MONEY/prize/lottery/draw/iphone/car
        selected ~3 for/to/as/winner/receive
        claim ~4 your/prize/reward/gift/refund/payment/rebate/now/it/bonus
        eligible/entitled/qualify/approved ~6 refund/rebate/payment/payout/grant/compensation/relief/MONEY/subsidy/bonus
        due/owed ~4 refund/rebate/tax/compensation/MONEY
        refund/rebate/compensation/payout/cashback/grant ~5 due/waiting/pending/approved/ready/available/claim/of/MONEY
        lottery/jackpot/sweepstake*/lucky_draw/giveaway/raffle
        reward/loyalty/bonus points
        points ~6 expire*
        free ~2 iphone/laptop/robux/skins/diamonds/coins/gems/bucks/gift/crypto/bitcoin/recharge
        next_of_kin/beneficiary/inheritance/deceased/late_engr/unclaimed
        leaving/left ~4 MONEY/million/fortune/estate
        vault/consignment/trunk_box`,
      strong: `
        double/twice/2x/DIGIT/x ~ back/your/times ~4 back/coins/btc/eth/crypto
        get ~4 double/two_times/2x/twice
        funds/money/assets ~8 traced/recovered/frozen/located/retriev*
        recover* ~6 lost/stolen/your ~4 funds/money/crypto/investment
        lost ~5 funds/money ~8 broker/trading/scam/crypto/online
        late ~8 next_of_kin/inheritance
        fund ~6 beneficiary`,
    },
    easy_income: {
      plain: `
        assistant ~3 wanted/needed
        errands ~4 me
        hours ~1 weekly ~4 MONEY
        cheque/check ~2 cover/covers
        side hustle/gig
        lend us your
        you choose your hours
        from home ~6 hours
        the rest and you
        evaluator
        second/additional/side income/job
        do from ~1 phone/mobile
        from your phone ~6 minutes/hour/day
        minutes/hours a/per day ~3 MONEY/NUM/DIGIT
        minutes/hours ~2 day ~3 MONEY
        salary ~2 same evening/day
        boost ~3 listings/scores/ratings/sales/shops
        raise ~2 scores/ratings
        tap ~2 heart/like
        training is free
        you like to hear
        no interview
        part time/parttime/remote ~4 job/work/role/position/vacancy
        work from home/anywhere
        remote work/job/role/position
        no experience ~ needed/required/necessary
        MONEY ~3 per/a/daily/weekly/every/each ~2 day/daily/week/hour/task/like/review/video
        MONEY daily/weekly
        daily ~4 pay/income/profit/earn*/paid
        earn* ~6 MONEY/daily/home/commission/extra/income/money
        # minutes ~3 day/daily
        paid ~3 daily/same/evening/instantly
        recruit*/hr ~10 cv/resume/whatsapp/telegram/position/job
        saw/got/received/found/across your cv/resume/résumé/profile
        rate/rating/ratings/reviews/like/likes/stars ~8 hotel*/place*/video*/product*/map*/merchant*/MONEY/each
        optimi* ~4 app/apps/hotel*/product*/ratings
        passive/extra/side/second income
        flexible hours/work/schedule
        job/position/role/opportunity/vacancy/assistant ~8 interested/salary/per/remote/part/flexible/details/paid/online/hiring
        opportunity ~6 earn/income/invest*/interested
        we are/were hiring
        impressed ~3 your
        hiring ~4 online/remote/part/now
        only over DIGIT
        merchant task*
        vip/prepaid/merchant/daily tasks/task/level`,
    },
    investment: {
      plain: `
        doubled ~4 account*/money/savings/pot
        pays/paid out every/each/daily/weekly
        took/take/pulled/cashed out MONEY/NUM
        set me up
        one idea/pick/trade each/every/per
        node account
        wealth/capital/invest* ~4 readers/idea/picks/clients ~4 each/daily
        desk/trading/morning/signal/vip group/room
        block deals
        students/members/followers ~8 up/gained/closed/earned/percent
        closed at
        gold/oil/arbitrage/options ~4 trade/desk/trader/trading
        trade/trading gold/oil/options
        arbitrage
        a ticker/stock ~6 add/put/join
        i trade
        seminar ~8 places/desk/uncle/team
        invest*/trading/trader*/broker/forex/stock/stocks/ipo/portfolio ~10 profit*/guarantee*/return*/daily/%/professor/group/vip/signals/double*/tips/members
        professor/prof/mentor/analyst/guru/teacher/coach ~10 stock*/trade*/trading/signal*/market/notes/group/crypto/student*/pick*
        ticker/stock/stocks/coin ~8 hold/buy/pick/tip
        guaranteed/risk_free/zero_risk/no_risk/riskfree
        withdraw ~4 any_time/anytime/instantly/daily/profits
        members/group/circle/club/community ~6 profit*/returns/signals/picks/traders/vip
        vip ~2 group/traders/signals/circle/channel/members/stock
        @coin ~8 profit*/double*/mining/platform/trading/invest*
        minimum ~3 MONEY
        token/presale/airdrop/mining/staking
        returns/profit/profits ~3 of/guaranteed/daily/weekly
        made/earned/earning ~8 trading/investing/signals/profit
        trading platform/app/account/group
        financial freedom/independence
        market/stock ~3 insight*/analysis/tips/picks
        free ~2 webinar/course/class ~6 invest*/trad*/stock*/crypto
        put/start/begin ~4 small ~4 amount/withdraw/grow*`,
    },
    loan: {
      plain: `
        need cash/money ~8 papers/documents/limit/app
        fixes/raises your limit
        loan ~8 instant/approved/approve/bad_credit/no_credit/no_check*/documents/pre/minutes/guaranteed/sanction*
        instant/pre/quick/easy/cash loan
        no/bad credit check*/history
        loan ~8 due/overdue/pay ~8 contacts/photos
        took/borrowed ~10 now due
        need cash/money ~6 papers/today/fast
        listed/gave you as ~ reference/guarantor`,
    },
    other_channel: {
      weak: `
        whatsapp/telegram/signal/line_app/wechat/viber`,
      plain: `
        whatsapp/telegram/wechat/signal ~6 PHONE/HANDLE/LINK/group/me/us/number/interested
        message/text/contact/add/dm/inbox/write/reply/chat/join ~5 whatsapp/telegram/wechat/line
        message/text/contact/dm/add ~2 me/us/her/him/HANDLE ~4 on/at HANDLE/PHONE/whatsapp/telegram
        dm/inbox us/me
        added to ~5 group/circle/club
        on whatsapp/telegram/wechat
        HANDLE ~4 telegram`,
    },
    secrecy: {
      plain: `
        dont/do_not/never ~2 tell/inform/mention/discuss/share/contact ~4 anyone/anybody/dad/mum/family/police/bank/staff/nobody/sister/brother/physician/doctor/outside
        keep ~3 secret/between_us/confidential/quiet/private/to_yourself
        strictly/must_be/highly/be confidential
        confidential ~5 matter/case/transaction/business
        secrecy
        do_not/dont ~ hang/disconnect/shut/switch
        stay on the line/phone/call/video
        not ~3 outside brokers/anyone
        surprise ~6 dont tell
        quietly/discreetly`,
    },
    new_number: {
      plain: `
        new/temporary/temp/other/different/spare/replacement/another number/phone/sim/mobile/address
        save ~2 number/this/it
        this is my number
        number ~3 for_now/till/until ~4 fixed/repaired
        my other number/email/address
        text/message/whatsapp me ~4 see_this/get_this/here/number
        using ~2 this/friends/mates ~4 till/until/phone`,
    },
    untraceable: {
      plain: `
        western union/moneygram
        cash app/zelle/venmo
        bitcoin atm`,
      strong: `
        @gift
        gift cards/card
        COIN
        in/with/via/by bitcoin/btc/usdt/crypto/ethereum/eth/tether
        bitcoin/btc/usdt/crypto ~4 wallet/address`,
    },
    stranger: {
      plain: `
        asked ~2 for your number
        got your number ~2 friend
        noticed you
        forward but
        saw you on/in ~4 group/page/comments
        may i write
        raising my ~2 alone
        widow/engineer/doctor/captain/surgeon/pilot/contractor ~4 from/in ~6 alone
        most people never
        your smile
        youre/you_are so polite/kind/sweet/lovely
        oh not you
        came across ~4 you
        you seem/sound ~4 person/kind/polite/decent/honest/nice
        believe in ~2 chance/chances/love/fate
        lost/losing my ~1 husband/wife/spouse
        gentle/kind/beautiful/pretty eyes/soul/heart/smile
        get/getting to know you/each
        your words/picture/comment ~4 touched/caught/moved
        peace/peacekeeping mission
        never felt so
        typed/dialled/saved/wrote ~4 number ~2 wrong
        sorry/oh/oops ~6 wrong number/person/contact
        wrong number/person ~8 nice/friend*/apolog*/forgive/bother*/kind*
        found your ~ number/contact
        long time no see
        my ~2 poodle/puppy/dog/cat/horse ~10 appointment/bring/vet/doctor/dr/eat*
        bothered/bothering/disturb* you
        if ~ isnt/is_not ~4 number
        is this ~3 number
        isnt ~4 number
        are you ~4 doctor/dr/coach/mr/ms/miss/from_the
        nice to meet you
        you ~3 kind/beautiful/pretty/lovely/gentle ~3 smile/picture/photo/profile/person/voice/soul/heart
        your ~2 profile/smile/dp ~8 beautiful/lovely/kind/impressed/nice/caught
        god fearing
        my name is ~4 from
        im ~8 surgeon/engineer/widow*/soldier/captain/nurse ~10 mission/un/rig/yemen/syria/army/offshore
        widow/widower/widowed
        we met/matched ~8 remember/app/dating
        came across your
        do you remember me
        fate/destiny/friendship ~5 brought/meet/friend*
        mutual friend ~8 number/gave
        how have you been ~6 long_time/number/changed
        hi/hello/hey/dear dr/doctor/coach/miss/madam/professor
        it_is/its/this_is ~2 from ~4 yoga/riding/gym/spa/golf/tennis/pilates/salon/club`,
      weak: `
        its/this_is/im/i_am ?just ?called NAME !surgery/clinic/practice
        this is ~1 NAME from/with/assistant/here
        its ~1 NAME from/here
        my name is
        is this ?still NAME
        START ~2 END its/this_is
        START @hello @title
        START @hello ~2 @title ~8 you
        hope ?you dont mind ~1 me
        where ~1 you based/located/from
        gala/yacht/polo/racecourse/vineyard/antique/antiques/villa/diamonds
        my assistant/secretary/chauffeur`,
    },
    emotional: {
      weak: `
        god bless
        darling/my_dear/my_love/sweetheart/honey/dearest
        please/pls ~2 help ?me/us
        pray/prayer/prayers/blessing`,
      plain: `
        did not/didnt/havent eat/eaten
        orphan*/school ~6 orphans
        MONEY/# ~1 feeds/feed
        god sees
        slept/sleep ~4 open
        flood/earthquake/war/orphan*/hungry/starving/homeless ~10 donat*/help/send/give/gift
        heart/cancer/kidney/brain operation/surgery/treatment/transplant
        operation/surgery/chemo ~10 donat*/help/MONEY/raise*
        wont start without
        customs ~6 gift/gold/bracelet/parcel/release
        please help/donate ~5 child/girl/boy/baby/family/anything
        anything/even_a_small_thing/little/any_amount ~2 helps/would_help
        dont scroll
        hospital ~8 discharge/balance/bill/deposit
        share ~3 to DIGIT/ten/everyone/people/groups/friends
        share with # ~ friends/groups/people
        curse/black_magic/evil_eye/spirit/psychic/spell`,
    },
    lure: {
      plain: `
        places/seats are ~1 limited
        sit in on
        pick it up ~8 difference/pay/check/cheque
        # fares
        scans ~2 passports/passport/id
        client/family ~2 gave/cancelled ~1 up
        # class fares/tickets/seats
        direct booking
        his/her/their/owners iban/bank
        without sitting
        language/driving/theory test ~6 without/centre/score/pass
        score ~4 system
        proof of commitment/funds/seriousness
        shortlisted
        bursary/scholarship ~10 proof/commitment/fee/credited
        cured my/me/his/her
        plain boxes/box/packaging
        drop/drops under
        ships it
        nowhere to go
        each of you
        left this month
        mission ~1 work
        we arent after/interested
        treat it as
        take it off
        holding amount/fee/sum
        more and you give
        need to send MONEY/NUM
        add postage
        reflect once
        wont/cant/not ~5 to see it
        wont/cannot/cant ~3 come ~4 see/view/look
        viewing/viewings ~4 possible/impossible/not
        removal ~1 men/company/van
        asking price plus
        name on ~3 paypal/account
        for keeping/holding it
        keys ~5 post/posted/mail/mailed/courier/couriered/send
        post/send/mail you ~2 keys
        im/i_am ~4 abroad/overseas
        moved to ~4 cant/show
        first who pays/transfers
        job letter
        no agent
        serious candidates
        trust first
        first trust
        diplomatic courier/agent
        cant/unable/not_able/unable_to ~4 show/view/viewing/do_the_viewing/meet/collect/come/pick
        keys ~8 courier/post/posted/agency/airbnb/sent/mail*
        working/work/posted/contract/living/moved ~3 in/abroad/offshore/overseas ~10 keys/viewing/flat/rent/apartment
        offshore/overseas/abroad ~6 contract/mission/rig/deployment/working
        lots/loads/several/many/other ~2 people/buyers/others ~4 asking/interested/line/waiting/want
        face value
        closing/clearance/liquidation/warehouse/everything_must ~2 sale/down
        # off ~8 brand/original/luxury/official
        brand new ~6 only/just/for MONEY
        no cash on delivery
        cures/cure/reverse*/miracle ~5 diabetes/sugar/cancer/pain/weight/days
        diabetes/weight/arthritis/insulin/sugar ~8 cure*/reverse*/days/secret/natural/herbal
        doctors ~5 dont/wont/hate/want/tell
        herbal/ayurvedic ~4 kit/cure/medicine/remedy
        without ~2 ielts/interview/exam/documents/visa
        visa ~6 approved/guaranteed/slot/sponsor*
        job/visa/work/warehouse ~4 approved/canada/dubai/abroad/australia/lmia
        guaranteed ~2 admission/pass/seat/job/visa/marks/approval
        leaked/original ~2 paper/question/exam
        degree/certificate ~6 without/days/exam
        scholarship ~8 selected/fee/registration/bank
        apply fast
        check ~2 your name ~3 list
        sponsor in/from
        scholarship/laptop/scheme ~6 free/apply/register
        still available
        interested ~3 in ~6 happy/fine/price/asking
        happy with ~2 price
        verification/verify ~4 release/unlock/get
        tickets ~6 transfer/bank_transfer/cheap/last_minute`,
    },
    account_lure: {
      plain: `
        vote for me/my/us
        you in this video/photo/clip/pic
        your/ur login
        trade bot
        receive ~4 payments/them ~8 fee/rest/yours/percent/commission
        rest/remainder is your/yours
        local ~1 contact/partner/agent/representative
        put your number ~4 sign/signup/account
        text with ~2 digits
        pass on NUM/DIGIT
        trustworthy/reliable ~2 contact/person/partner
        vote/votes ~6 me/my/contest/link/niece/daughter/son
        is this you
        you ~4 in ~2 this/that ~2 video/clip/photo/picture
        locked/log/logged/get/back ~4 out_of/in/into/in_my ~4 insta*/facebook/account/whatsapp/snap*
        copyright/community/policy ~3 violation/infringement/standards/complaint
        blue/verified badge/tick
        pick/choose ~4 friend ~4 help
        rent/lend/use/lease ~3 your ~2 bank_account/account
        your account ~6 receive/receiving/commission/keep/rent
        receive ~5 your account ~6 keep/percent/commission
        money mule
        keep ~3 #/percent/% ~4 commission/yourself/rest/forward/each
        process payments
        bank account ~6 use/receive/borrow/need
        payment processor/agent/handler`,
    },
    topic: {
      weak: `
        rent/deposit/caretaker/keys/tenancy
        payment/payments/cheque/cash/money/funds/MONEY
        account/bank/card/wallet/iban/paypal
        supplier/vendor/colleague/places/seats
        candidate/application/equipment/salary/income/earn
        diploma*/degree/university/universities/certificate*
        booking/reservation/reservations
        lawyer/filing/class_action/victim
        records/list/shortlist*
        verifying
        church/pastor/faith/mission
        claim/drop/voucher/discount
        bitcoin/crypto/usdt/forex/investment/investments/investing/investor/investors/profits/trading/trader
        loan/lottery/prize/refund/rebate/compensation/subsidy/inheritance/beneficiary/payout
        customs/redelivery
        otp/kyc/passcode/verification
        subscription/antivirus
        vacancy/recruiter/recruitment/hiring/freelance
        visa/sponsorship/scholarship
        donate/donations/charity/orphans
        warrant/arrest/lawsuit
        my_name_is/got_your_number/got_your_contact/your_number_from/your_contact_from
        giveaway/airdrop/winner/vouchers
        pension/grant/benefits
        landlord/tenant
        supplier/invoice/remittance/payroll
        followers/sponsor/promotion/ambassador`,
    },
    trouble: {
      weak: `
        problem/issue/error/trouble ~4 with ~4 account/payment/order/delivery/card/booking/refund
        pending/unsuccessful/declined/failed/rejected/invalid ~3 payment/transaction/delivery/verification/update`,
      plain: `
        payment/billing/card ~6 failed/declined/problem/unsuccessful/not_go_through/invalid/unable
        unable/failed/could_not/was_not_able to ~2 validate/verify/process/charge/confirm/authorise
        kyc/pan/aadhaar ~5 expired/incomplete/update/updated/pending/mandatory/not
        subscription/membership/storage ~6 expire*/full/suspend*/ended/cancel*/renew*/on_hold
        previous month/bill
        not update/updated
        request ~8 move/transfer/port/change ~5 sim/esim/number
        new device/login/sign ~8 account
        meter ~6 cut/order/disconnect*/update*
        arrear/arrears ~6 paid/pay/before`,
    },
    hook: {
      weak: `
        would/do/may/might/could you ~1 like/want/wish/care/prefer ~2 hear/know/join/try/see/learn/included/part/start/more
        would you be ~1 interested/open/willing
        are you ~1 interested/open/willing
        can/could/may/shall/should i ~1 tell/send/add/explain/write/share/show/put/open/include/forward
        let me know if ~1 interested/keen/like
        i can ~2 ask/add/put/get/introduce/connect/show/send/give/give_you/teach ~3 you/him/her/room/contact
        ask me how/about/for
        write/message/text/dm/contact/reply/inbox ~1 me/us/here ~2 details/more/info/privately
        reply/answer/write here/yes/info/ok
        room/place/spot/seat ~1 for you
        thought of you
        do you do zelle/paypal/venmo
        you ~3 good fit
        can you do zelle/paypal/venmo/bank
        thanks/thank_you for ~2 interest/getting
        thank_you/thanks for getting in
        have ~1 got ~2 minute/minutes/moment
        how many ~1 people/guests ~6
        kindly
        please confirm how`,
    },
  },
  legitimacy: {
    warns: {
      strong: `
        never/do_not/dont/not_to/we_wont/wont/will_not/cannot ~3 share/ask/disclose/give/tell/ask_for ~6 code/otp/pin/password/it/anyone/anybody/staff/this/phrase
        bank/we/staff/team ~3 never ~2 ask/call/asks/do/send
        not acting for us`,
      plain: `
        dont include links
        we wont ask
        will never ask
        no such thing
        nobody/not_us/isnt_us/is_not_us
        fraud/scam ~2 alert/warning/awareness
        double check ~6 call/phone
        ring/call your usual`,
    },
    public_warning: {
      strong: `
        scammers/fraudsters/criminals/scam/hoax
        beware ~4 fraud*/scam*/fake/calls/messages
        hang up
        pretending/claiming ?to ?be ~4 from/bank/police
        report ~5 cyber/station/phishing/1930
        ?it ?is a bluff
        no officer/police/bank ~ will
        no such thing`,
    },
    no_action: {
      strong: `
        no/nothing/no_further ~2 action/to_do/else_to_do ~4 needed/required/necessary/do
        ignore/disregard ~6 already/paid/you/message/reminder
        if this was you ~4 nothing/ignore/no
        if it was you ~4 nothing/ignore/no
        need to do anything
        nobody/no_one needs
        no rush/hurry
        taken from your registered`,
      plain: `
        was replenished/credited
        has been ~2 credited/received/replenished
        for your payment
        receipt ~4 attached/below`,
    },
    own_channel: {
      strong: `
        code/otp/pin ~4 agent/driver/rider/courier ~2 only at/when/once
        it to your driver
        digit code ~4 agent/driver/rider/courier ~2 only
        number/phone ~2 on ~2 back/its/your ~2 card/back
        typing ~4 address ~4 browser
        in/through/via/open/using/log_in_to/or ~2 app/apps ~4 .
        official portal/app/website/site
        at ~2 any/our/your ~2 branch/counter/office/shop/shops/branches
        dial 159
        sms block
        printed on ~3 letter/bill/card
        at the counter
        from your phone today
        reception
        usual way
        your local/nearest
        protection scheme`,
      plain: `
        parents/pupils/children/class/year ~6 bring/term/trip/form/training
        or any store/shop/branch
        before you travel
        in/via/by parentpay
        account settings
        does not accept cash
        at reception
        in the app
        reply ~1 yes/y/no/c ~3 to/or ~3 confirm/n/no/cancel
        reply y/yes ~6 ring/call ~3 us
        to confirm or
        appointment/appt
        out for delivery
        due/arriving/arrive/delivered/delivery/coming/with_you today ~3 between/by/from/before/TIME
        between TIME and TIME
        safe place/neighbour
        direct debit
        statement/statements/post_office
        spent on/at
        avl/available ~ limit/bal/balance
        ending/xx* NUM
        assessment
        outage*/maintenance`,
    },
    terms: {
      strong: `
        stop ~4 to ~3 opt/unsubscribe/end/NUM
        text/reply/send stop/dnd
        t_cs/terms ~3 apply/conditions/at
        unsubscribe/opt_out
        capital at risk
        registered charity
        subject to ~4 eligibility/status/approval`,
    },
    no_charge: {
      plain: `
        no charge/fee/fees/cost
        free of charge
        nothing to pay
        is free
        fee waived`,
    },
    everyday: {
      weak: `
        maine/tune/humne/usne
        bins/beach/projector/tyres/weekend/btw
        mate/lol/haha*/xx/lmao/bro/yaar/love_you/😂
        dinner/lunch/breakfast/supper/milk/kids/cat/dog/cake/train/bus/football/match/homework/recipe/school/coach/weekend`,
      plain: `
        like last month/time/year
        at the cottage/office/pub/gym
        cant talk ~4 lecture/class/train/library/cinema/driving
        jumble/bake sale
        work from home monday/tuesday/wednesday/thursday/friday/mondays/tuesdays/wednesdays/thursdays/fridays
        last time lol
        or theyll
        i owe you
        left my purse/wallet/card at
        grant application
        remember to tell
        new job
        old ~3 stool/sofa/table/bike/piano
        nan/nans/grans asking
        the kids/cat/dog/boiler
        before it goes to NAME
        police appeal
        ring NUM
        same/usual ~2 account/place/time/as_last_time ~2 last
        as always/usual
        morning all/everyone/both/team
        meeting/deck/slides/sprint/standup/sheet
        at ~2 gate/door/number DIGIT
        see you ~4 at/tomorrow/tonight/saturday/sunday
        home ~2 late/early/by
        on my way
        running ~2 late
        pay ~2 me ~2 at/when/later/whenever`,
    },
    plain_reason: {
      plain: `
        from NAME/drs/dr ~2 office/surgery/clinic
        this is NAME from ~1 NAME office
        from work/windows/reception/accounts
        due with you
        your accountant/solicitor/landlord/dentist/tutor
        we met at ~2 wedding/party/funeral/christening
        somewhere to park
        key worker
        NAME/drs/dr office ~3
        your/next_door neighbour/neighbor
        neighbour/neighbor ~2 at/from/in
        from/at ~2 number/flat/apartment/unit/house/door/no DIGIT/NUM
        moving/moved/move ~1 into/in ~2 flat/house/number/apartment/upstairs/downstairs/next
        flat/apartment DIGIT/NUM
        upstairs/downstairs/next_door/buzzer/doorbell
        at ~2 your ~1 door/gate/reception/building
        parcel/post/package/delivery ~2 yours/you ~3 with_us/here
        your ~3 bin/parcel/order/prescription/groceries/cat/dog/car ~2 is/has/are/ready/was
        im/its/this_is ~2 driver/plumber/electrician/courier/postman/cleaner/gardener/carpenter/clerk
        driver/courier ~3 from
        NAME/his/her/your ~1 mum/mom/dad/mother/father/teacher/tutor/nurse
        mum/mom/dad/mother/father/teacher ~2 of NAME
        im/its/this_is NAME ~2 dad/mum/mom/mother/father/teacher
        NAME dad/mum/mom/mother/father ~2 he/she/hes/shes
        your ~3 group/class/lesson/lessons on
        fever/ill/poorly ~6 lesson/class/school/tomorrow
        agent/landlord/porter/caretaker gave ~2 number
        surgery/practice/nursery/library/scouts/brownies
        office/clinic ~8 appointment/visit/results/booked/move
        from/at ~2 plumbing/heating/roofing/garage/vets/school/council/electricals
        i/we can do ~4 on/for ~1 monday/tuesday/wednesday/thursday/friday/saturday/sunday
        notice at/in/on
        jumble sale
        on NAME phone
        wrong number ~4 this isnt
        this isnt NAME`,
    },
    fact: {
      plain: `
        declined at
        your booking/order/reservation ~2 confirmed
        ready for collection
        was delivered
        is scheduled for
        nothing for you to
        filed ~1 return/it
        collecting ~2 waste/bins
        debited/credited ~6 MONEY/NUM
        MONEY debited/credited/spent/withdrawn
        a_c/acct/account ~2 debited/credited
        a_c/acct/account ~4 is/has credited/debited
        arrives/arriving/arrive today
        is booked
        booked for ~6 TIME
        is/are/has_been/been ready/confirmed/received/booked ~2 to/for/at/END
        is ready
        confirmed for
        interview confirmed
        ends at/on ~6 app/extend
        results are
        you for your order/payment/booking
        weve received your payment`,
    },
  },
};
