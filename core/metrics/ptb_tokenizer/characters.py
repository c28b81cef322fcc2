"""Character classes of the tokenizer within the basic plane, determined by experiment.

Ranges of code points, hexadecimal. Source: stanford-corenlp-3.4.1.jar on Java 17, fed one
character at a time; Unicode 6 decides which characters are assigned.
"""

from collections.abc import Iterator

LETTERS = """
    aa b5 ba c0-d6 d8-f6 f8-2c1 2c6-2d1 2e0-2e4 2ec 2ee 370-374 376-377 37a-37d 386 388-38a 38c
    38e-3a1 3a3-3f5 3f7-481 48a-527 531-556 559 561-587 5d0-5ea 5f0-5f2 620-64a 660-669 66e-66f
    671-6d3 6d5 6e5-6e6 6ee-6fc 6ff 710 712-72f 74d-7a5 7b1 7c0-7ea 7f4-7f5 7fa 800-815 81a 824
    828 840-858 8a0 8a2-8ac 904-939 93d 950 958-961 966-96f 971-977 979-97f 985-98c 98f-990
    993-9a8 9aa-9b0 9b2 9b6-9b9 9bd 9ce 9dc-9dd 9df-9e1 9e6-9f1 a05-a0a a0f-a10 a13-a28 a2a-a30
    a32-a33 a35-a36 a38-a39 a59-a5c a5e a66-a6f a72-a74 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2-ab3
    ab5-ab9 abd ad0 ae0-ae1 ae6-aef b05-b0c b0f-b10 b13-b28 b2a-b30 b32-b33 b35-b39 b3d b5c-b5d
    b5f-b61 b66-b6f b71 b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9
    bd0 be6-bef c05-c0c c0e-c10 c12-c28 c2a-c33 c35-c39 c3d c58-c59 c60-c61 c66-c6f c85-c8c
    c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbd cde ce0-ce1 ce6-cef cf1-cf2 d05-d0c d0e-d10 d12-d3a d3d
    d4e d60-d61 d66-d6f d7a-d7f d85-d96 d9a-db1 db3-dbb dbd dc0-dc6 e01-e30 e32-e33 e40-e46
    e50-e59 e81-e82 e84 e87-e88 e8a e8d e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab ead-eb0 eb2-eb3
    ebd ec0-ec4 ec6 ed0-ed9 edc-edf f00 f20-f29 f40-f47 f49-f6c f88-f8c 1000-102a 103f-1049
    1050-1055 105a-105d 1061 1065-1066 106e-1070 1075-1081 108e 1090-1099 10a0-10c5 10c7 10cd
    10d0-10fa 10fc-1248 124a-124d 1250-1256 1258 125a-125d 1260-1288 128a-128d 1290-12b0
    12b2-12b5 12b8-12be 12c0 12c2-12c5 12c8-12d6 12d8-1310 1312-1315 1318-135a 1380-138f
    13a0-13f4 1401-166c 166f-167f 1681-169a 16a0-16ea 1700-170c 170e-1711 1720-1731 1740-1751
    1760-176c 176e-1770 1780-17b3 17d7 17dc 17e0-17e9 1810-1819 1820-1877 1880-18a8 18aa
    18b0-18f5 1900-191c 1946-196d 1970-1974 1980-19ab 19c1-19c7 19d0-19d9 1a00-1a16 1a20-1a54
    1a80-1a89 1a90-1a99 1aa7 1b05-1b33 1b45-1b4b 1b50-1b59 1b83-1ba0 1bae-1be5 1c00-1c23
    1c40-1c49 1c4d-1c7d 1ce9-1cec 1cee-1cf1 1cf5-1cf6 1d00-1dbf 1e00-1f15 1f18-1f1d 1f20-1f45
    1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fbc 1fbe 1fc2-1fc4 1fc6-1fcc
    1fd0-1fd3 1fd6-1fdb 1fe0-1fec 1ff2-1ff4 1ff6-1ffc 2071 207f 2090-209c 2102 2107 210a-2113
    2115 2119-211d 2124 2126 2128 212a-212d 212f-2139 213c-213f 2145-2149 214e 2183-2184
    2c00-2c2e 2c30-2c5e 2c60-2ce4 2ceb-2cee 2cf2-2cf3 2d00-2d25 2d27 2d2d 2d30-2d67 2d6f
    2d80-2d96 2da0-2da6 2da8-2dae 2db0-2db6 2db8-2dbe 2dc0-2dc6 2dc8-2dce 2dd0-2dd6 2dd8-2dde
    2e2f 3005-3006 3031-3035 303b-303c 3041-3096 309d-309f 30a1-30fa 30fc-30ff 3105-312d
    3131-318e 31a0-31ba 31f0-31ff 3400-4db5 4e00-9fcc a000-a48c a4d0-a4fd a500-a60c a610-a62b
    a640-a66e a67f-a697 a6a0-a6e5 a717-a71f a722-a788 a78b-a78e a790-a793 a7a0-a7aa a7f8-a801
    a803-a805 a807-a80a a80c-a822 a840-a873 a882-a8b3 a8d0-a8d9 a8f2-a8f7 a8fb a900-a925
    a930-a946 a960-a97c a984-a9b2 a9cf-a9d9 aa00-aa28 aa40-aa42 aa44-aa4b aa50-aa59 aa60-aa76
    aa7a aa80-aaaf aab1 aab5-aab6 aab9-aabd aac0 aac2 aadb-aadd aae0-aaea aaf2-aaf4 ab01-ab06
    ab09-ab0e ab11-ab16 ab20-ab26 ab28-ab2e abc0-abe2 abf0-abf9 ac00-d7a3 d7b0-d7c6 d7cb-d7fb
    f900-fa6d fa70-fad9 fb00-fb06 fb13-fb17 fb1d fb1f-fb28 fb2a-fb36 fb38-fb3c fb3e fb40-fb41
    fb43-fb44 fb46-fbb1 fbd3-fd3d fd50-fd8f fd92-fdc7 fdf0-fdfb fe70-fe74 fe76-fefc ff10-ff19
    ff21-ff3a ff41-ff5a ff66-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 ffda-ffdc
"""
"""Non-ASCII letters and digits, which join into words."""

MARKS = """
    2c2-2c5 2d2-2df 2e5-2eb 2ed 2ef-36f 375 378-379 384-385 3f6 483-487 55a-55f 591-5bd 5bf
    5c1-5c2 5c4-5c5 5c7 615-61a 64b-65e 670 6d6-6e4 6e7-6ed 6fd-6fe 70f 711 730-74c 7a6-7b0
    7eb-7f3 900-903 93c 93e-94e 951-955 962-963 981-983 9bc 9be-9c4 9c7-9c8 9cb-9cd 9d7 9e2-9e3
    a01-a03 a3c a3e-a4f a81-a83 abc abe-acf b82 bbe-bc2 bc6-bc8 bca-bcd c01-c03 c3e-c56 d3e-d44
    d46-d48 e31 e34-e3a e47-e4e eb1 eb4-ebc ec8-ecd
"""
"""Letters that start a new token after a digit."""

DELETED = """
    7f 81-84 86-90 95 98-a0 37f-383 38b 38d 3a2 482 488-489 528-530 557-558 560 588 58b-590
    5c8-5cf 5eb-5ef 5f5-5ff 604-605 60d-613 61c-61d 65f 66b-66c 70e 7b2-7bf 7f9 7fb-7ff 816-819
    81b-823 825-827 829-83f 859-89f 8a1 8ad-8ff 93a-93b 94f 956-957 970 978 980 984 98d-98e
    991-992 9a9 9b1 9b3-9b5 9ba-9bb 9c5-9c6 9c9-9ca 9cf-9d6 9d8-9db 9de 9e4-9e5 9f2-a00 a04
    a0b-a0e a11-a12 a29 a31 a34 a37 a3a-a3b a3d a50-a58 a5d a5f-a65 a70-a71 a75-a80 a84 a8e a92
    aa9 ab1 ab4 aba-abb ad1-adf ae2-ae5 af0-b04 b0d-b0e b11-b12 b29 b31 b34 b3a-b3c b3e-b5b b5e
    b62-b65 b70 b72-b81 b84 b8b-b8d b91 b96-b98 b9b b9d ba0-ba2 ba5-ba7 bab-bad bba-bbd bc3-bc5
    bc9 bce-bcf bd1-be5 bf0-c00 c04 c0d c11 c29 c34 c3a-c3c c57 c5a-c5f c62-c65 c70-c84 c8d c91
    ca9 cb4 cba-cbc cbe-cdd cdf ce2-ce5 cf0 cf3-d04 d0d d11 d3b-d3c d45 d49-d4d d4f-d5f d62-d65
    d70-d79 d80-d84 d97-d99 db2 dbc dbe-dbf dc7-e00 e3b-e3e e5a-e80 e83 e85-e86 e89 e8b-e8c
    e8e-e93 e98 ea0 ea4 ea6 ea8-ea9 eac ebe-ebf ec5 ec7 ece-ecf eda-edb ee0-eff f01-f1f f2a-f3f
    f48 f6d-f87 f8d-fff 102b-103e 104a-104f 1056-1059 105e-1060 1062-1064 1067-106d 1071-1074
    1082-108d 108f 109a-109f 10c6 10c8-10cc 10ce-10cf 10fb 1249 124e-124f 1257 1259 125e-125f
    1289 128e-128f 12b1 12b6-12b7 12bf 12c1 12c6-12c7 12d7 1311 1316-1317 135b-137f 1390-139f
    13f5-1400 166d-166e 1680 169b-169f 16eb-16ff 170d 1712-171f 1732-173f 1752-175f 176d
    1771-177f 17b4-17d6 17d8-17db 17dd-17df 17ea-180f 181a-181f 1878-187f 18a9 18ab-18af
    18f6-18ff 191d-1945 196e-196f 1975-197f 19ac-19c0 19c8-19cf 19da-19ff 1a17-1a1f 1a55-1a7f
    1a8a-1a8f 1a9a-1aa6 1aa8-1b04 1b34-1b44 1b4c-1b4f 1b5a-1b82 1ba1-1bad 1be6-1bff 1c24-1c3f
    1c4a-1c4c 1c7e-1ce8 1ced 1cf2-1cf4 1cf7-1cff 1dc0-1dff 1f16-1f17 1f1e-1f1f 1f46-1f47
    1f4e-1f4f 1f58 1f5a 1f5c 1f5e 1f7e-1f7f 1fb5 1fbf-1fc1 1fc5 1fcd-1fcf 1fd4-1fd5 1fdc-1fdf
    1fed-1ff1 1ff5 1ffd-200f 2012 2024-2025 2027 202a-202f 203c-203d 2043 2045-206f 2072-2073
    208f 209d-209f 20a1-20a3 20a5-20ab 20ad-20ff 2150-2152 215f-2182 2185-218f 2c2f 2c5f
    2ce5-2cea 2cef-2cf1 2cf4-2cff 2d26 2d28-2d2c 2d2e-2d2f 2d68-2d6e 2d70-2d7f 2d97-2d9f 2da7
    2daf 2db7 2dbf 2dc7 2dcf 2dd7 2ddf-2e2e 2e30-3000 3003-3004 3007-3011 3013-3030 3036-303a
    303d-3040 3097-309c 30a0 3100-3104 312e-3130 318f-319f 31bb-31ef 3200-33ff 4db6-4dff
    9fcd-9fff a48d-a4cf a4fe-a4ff a60d-a60f a62c-a63f a66f-a67e a698-a69f a6e6-a716 a720-a721
    a789-a78a a78f a794-a79f a7ab-a7f7 a802 a806 a80b a823-a83f a874-a881 a8b4-a8cf a8da-a8f1
    a8f8-a8fa a8fc-a8ff a926-a92f a947-a95f a97d-a983 a9b3-a9ce a9da-a9ff aa29-aa3f aa43
    aa4c-aa4f aa5a-aa5f aa77-aa79 aa7b-aa7f aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aac3-aada
    aade-aadf aaeb-aaf1 aaf5-ab00 ab07-ab08 ab0f-ab10 ab17-ab1f ab27 ab2f-abbf abe3-abef
    abfa-abff d7a4-d7af d7c7-d7ca d7fc-d7ff e000-f8ff fa6e-fa6f fada-faff fb07-fb12 fb18-fb1c
    fb1e fb29 fb37 fb3d fb3f fb42 fb45 fbb2-fbd2 fd3e-fd4f fd90-fd91 fdc8-fdef fdfc-fe6f fe75
    fefd-ff00 ffbf-ffc1 ffc8-ffc9 ffd0-ffd1 ffd8-ffd9 ffdd-ffdf ffe2-ffe4 ffe7-ffff
"""
"""Characters without a token, which separate their neighbours."""


def character_class(ranges: str) -> str:
    """Return the ranges as the content of a regular expression's character class."""
    bounds = (span.partition("-") for span in ranges.split())
    return "".join(f"\\u{int(a, 16):04x}-\\u{int(b or a, 16):04x}" for a, _, b in bounds)


def code_points(ranges: str) -> Iterator[int]:
    """Yield the code points of the ranges."""
    for span in ranges.split():
        low, _, high = span.partition("-")
        yield from range(int(low, 16), int(high or low, 16) + 1)
