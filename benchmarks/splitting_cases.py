"""Passages with marked sentence boundaries, written for this benchmark in the manner of news.

A bar marks a boundary. Seven languages; what is hard in each: quotations (closed or not), direct
speech before its speaker, abbreviations, ordinals, initials, headlines, lists, wrapped lines.
"""

# Letters that look like others, and passages that are easier to read unbroken, are meant here:
# ruff: noqa: RUF001, E501

from __future__ import annotations

__all__ = ["PASSAGES"]

PASSAGES = {
    "en": {
        "unclosed quotation": [
            'The coach was blunt. |"We lost because we stopped running. |Nobody can accept that. |'
            "He then left the room without another word. |Reporters waited for an hour. |"
            "The club gave no statement.",
            "Mr. Hale said the plan had failed. |“It was never funded, he told the paper. |"
            "The ministry disagrees. |It points to last year's budget. |A vote is due in May.",
            "'I never saw it coming. |It hit us from the left. |The driver did not stop. |"
            "Police are looking for a grey van.",
        ],
        "quotations": [
            '"Are you sure?" she asked. |"Yes," he said. |"I was there." |They went on.',
            "“This is a mistake,” said Dr. Lee. |“We told them so. |They did not listen.” |"
            "The council meets again on Friday.",
            'He called it "a disaster." |Few agreed. |She replied: "Wait and see!" |Then it rained.',
            "'When I'm wrong, I say so,' he wrote. |'This time I'm not.' |The post was deleted.",
        ],
        "abbreviations": [
            "Mr. Smith and Mrs. Jones met Gen. Ray Odierno in Washington, D.C., on Jan. 5. |"
            "They spoke about U.S. troops. |Sen. J. T. Hale was absent.",
            "Apple Inc. rose 3.5 percent to $112.40. |Shares of Ford Motor Co. fell. |"
            "The Dow Jones index closed at 17,826.30, up 0.1 percent.",
            "The train leaves at 5 p.m. from platform 3. |Doors open at 4.30 p.m. |"
            "See p. 12, fig. 3, and the notes, e.g. on fares.",
            "He lives in the U.S. |She moved to the U.K. |Their son studies at M.I.T. in Boston.",
            "The Rev. Al Sharpton spoke vs. the plan. |St. Louis police, i.e. the county's, declined "
            "to comment. |No. 4 seed Ana Ivanovic won.",
        ],
        "headlines": [
            "Storm hits coast\n\n|Thousands were left without power. |Schools stay closed.",
            "LONDON, England (CNN) -- The inquiry opened on Monday. |It will last a year.\n\n|"
            "Who is on the panel?\n\n|Three judges were named. |A fourth declined.",
            "Markets\n\n|Oil fell again. |Gold rose.\n\n|Weather\n\n|Rain is expected in the north.",
        ],
        "wrapped lines": [
            "The committee met on Tuesday and heard from Dr.\nBrown, who has led the study since\n"
            "2009. |It found no fault with the\nagency. |A report follows in June.",
            "Prices rose by 2.4 percent in the\nfirst quarter. |Rents rose\nfaster. |"
            "Economists had\nexpected less.",
        ],
        "lists": [
            "The club must now:\n\n|- sell two players\n\n|- find a coach\n\n|- pay its debts",
            "What we know:\n\n|1. The bridge closed at noon.\n\n|2. No one was hurt.\n\n|"
            "3. It will reopen on Monday.",
        ],
    },
    "de": {
        "news": [
            "Der Minister war gestern in Köln. |„Wir haben z. B. die Mieten nicht im Griff“, sagte er. |"
            "Am 3. Oktober wird darüber abgestimmt. |Dr. Weber und Prof. Klein widersprachen.",
            "„Das ist falsch. |Wir haben niemanden getäuscht“, erklärte die Firma am 12. Mai. |"
            "Rund 1.500 Kunden klagten. |Der Streitwert liegt bei ca. 2,5 Mio. Euro. |"
            "Das Urteil fällt im Herbst.",
            "Sie gewann ihr 100. Spiel. |Der 1. FC Köln verlor mit 0:2. |Wann kehrt er zurück? |"
            "Das weiß niemand.",
            "„Niemand hat uns gewarnt, sagte der Bürgermeister. |Das Wasser kam in der Nacht. |"
            "Die Straße nach St. Goar ist gesperrt. |Bis Freitag soll sie wieder frei sein.",
            "König Ludwig II. baute drei Schlösser. |Die Kosten trug u. a. die Hofkasse. |"
            "Heute kommen jährlich 1,4 Mio. Besucher, d. h. fast 4.000 am Tag.",
        ],
    },
    "fr": {
        "news": [
            "M. Dupont est arrivé à 8 h 30. |« Nous n'avons rien à cacher », a-t-il déclaré. |"
            "Mme Leroy, elle, n'a pas voulu répondre. |Le procès reprendra le 5 janv. prochain.",
            "« C'est une erreur. |Nous l'avons dit dès le début. » |Le maire a quitté la salle. |"
            "Qui le remplacera ? |Personne ne le sait !",
            "Le P.-D.G. de la société S.A. Martin a démissionné. |L'action a perdu 3,5 % à Paris. |"
            "Voir p. 12 et suiv. pour les détails.",
            "« Personne ne nous a prévenus, dit le pompier. |L'eau est montée dans la nuit. |"
            "La route est coupée. |Elle rouvrira vendredi.",
            "Le Dr Morel et J.-P. Blanc ont signé l'appel. |Il compte déjà 1 200 signatures, etc. |"
            "Le ministre n'a pas réagi.",
        ],
    },
    "es": {
        "news": [
            "El Sr. García llegó a las 9.30 h. |«No tenemos nada que ocultar», dijo. |"
            "La Dra. López no quiso responder. |¿Quién lo sabe? |Nadie contestó.",
            "«Es un error. |Lo dijimos desde el principio». |El alcalde abandonó la sala. |"
            "¡Nadie lo esperaba! |La votación será el 5 de mayo.",
            "EE. UU. anunció nuevas sanciones. |La empresa perdió 3,5 millones, i. e. el 2 por ciento. |"
            "Véase la pág. 12 del informe.",
            "«Nadie nos avisó, contó el bombero. |El agua subió por la noche. |"
            "La carretera está cortada. |Abrirá el viernes.",
            "D. Juan Carlos I visitó Sta. Cruz en 1977. |Lo acompañaban el Gral. Pérez y otros. |"
            "La visita duró 2 días aprox. y costó 1.200 pesetas.",
        ],
    },
    "ru": {
        "news": [
            "Президент прибыл в г. Казань в 9 ч. утра. |«Нам нечего скрывать», — сказал он. |"
            "А. С. Иванов отказался отвечать. |Кто его заменит? |Пока неизвестно.",
            "«Это ошибка. |Мы говорили об этом с самого начала». |Мэр покинул зал. |"
            "Голосование пройдёт 5 мая 2015 г. в Москве.",
            "Компания потеряла 3,5 млн. рублей, т. е. два процента. |Акции упали. |"
            "См. стр. 12 отчёта и т. д.",
            "«Никто нас не предупредил, рассказал спасатель. |Вода пришла ночью. |"
            "Дорога на ул. Ленина закрыта. |Её откроют в пятницу.",
            "В XIX в. город вырос втрое. |Население достигло 120 тыс. человек. |"
            "Проф. Петров считает иначе!",
        ],
    },
    "tr": {
        "news": [
            'Başbakan dün Ankara\'ya geldi. |"Saklayacak bir şeyimiz yok" dedi. |'
            "Dr. Yılmaz ve Prof. Kaya yanıt vermedi. |Oylama 5. maddeden başlayacak. |Kim kazanacak?",
            "“Bu bir hata. |Bunu baştan beri söylüyoruz.” |Belediye başkanı salondan ayrıldı. |"
            "Toplantı 3 Mayıs'ta yapılacak.",
            "Şirket 3,5 milyon lira, yani yüzde 2 kaybetti. |Hisseler düştü. |"
            "Ayrıntılar için bkz. s. 12. |Vb. örnekler çoktur.",
            "“Kimse bizi uyarmadı, dedi itfaiyeci. |Su gece geldi. |Yol kapalı. |Cuma günü açılacak.",
            "II. Abdülhamid 1876'da tahta çıktı. |Törene 1.200 kişi katıldı. |"
            "İstanbul'da hava güzeldi!",
        ],
    },
    "zh": {
        "news": [
            "总理昨天抵达上海。|“我们没有什么可隐瞒的。”他说。|记者问：“谁来接替他？”|没有人回答。",
            "公司亏损了3.5亿元，约占2%。|股价随即下跌！|详情见第12页。",
            "“没有人提醒我们，消防员说。|水是夜里来的。|道路已经封闭。|星期五将重新开放。",
            "会议于2015年5月3日举行。|会上讨论了三个问题：住房、交通和教育。|结果如何？|还不清楚。",
        ],
    },
}
