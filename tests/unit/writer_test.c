/* writer_test.c - numbers, words and objects in JSON, fields in CSV. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "report/format/writer.h"

/* Compares the text of an object with one member. */
#define assert_member(expected, call)                                                              \
    do {                                                                                           \
        td_text text_ = {0};                                                                       \
        td_writer w = td_writer_open(&text_, TD_JSON_LINE);                                        \
        call;                                                                                      \
        td_writer_close(&w);                                                                       \
        assert_false(text_.failed);                                                                \
        assert_string_equal(text_.data, expected);                                                 \
        td_text_free(&text_);                                                                      \
    } while (0)

TEST(integers_are_exact_to_64_bits)
{
    assert_member("{\"v\":0}", td_put_u64(&w, "v", 0));
    assert_member("{\"v\":9007199254740991}", td_put_u64(&w, "v", UINT64_C(9007199254740991)));
    assert_member("{\"v\":9007199254740992}", td_put_u64(&w, "v", UINT64_C(1) << 53));
    assert_member("{\"v\":\"9007199254740993\"}", td_put_u64(&w, "v", (UINT64_C(1) << 53) + 1));
    assert_member("{\"v\":\"18446744073709551615\"}", td_put_u64(&w, "v", UINT64_MAX));
}

TEST(what_is_no_number_is_null)
{
    const double values[] = {1.5, NAN, INFINITY};
    assert_member("{\"v\":null}", td_put_double(&w, "v", NAN));
    assert_member("{\"v\":null}", td_put_exact_double(&w, "v", -INFINITY));
    assert_member("{\"v\":[1.5,null,null]}", td_put_doubles(&w, "v", values, 3));
}

TEST(doubles_have_digits_but_no_noise)
{
    assert_member("{\"v\":0.1041}", td_put_double(&w, "v", 0.1041));
    assert_member("{\"v\":0.333333333}", td_put_double(&w, "v", 1.0 / 3));
    assert_member("{\"v\":0.1}", td_put_exact_double(&w, "v", 0.1));
    assert_member("{\"v\":0.30000000000000004}", td_put_exact_double(&w, "v", 0.1 + 0.2));
    assert_member("{\"v\":2.2250738585072014e-308}",
                  td_put_exact_double(&w, "v", 2.2250738585072014e-308));
}

TEST(strings_are_escaped_and_clean_utf8)
{
    assert_member("{\"v\":\"a\\\"b\\\\c\\n\\u0001\"}", td_put_text(&w, "v", "a\"b\\c\n\x01"));
    assert_member("{\"v\":\"caf\xc3\xa9 \xf0\x9f\x94\xba\"}",
                  td_put_text(&w, "v", "caf\xc3\xa9 \xf0\x9f\x94\xba"));
    /* a stray byte, an overlong slash, a surrogate, a sequence cut by the end */
    assert_member(
        "{\"v\":\"\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
        "\xef\xbf\xbd\xef\xbf\xbd\"}",
        td_put_text(&w, "v", "\xff|\xc0\xaf|\xed\xa0\x80|\xe2\x82"));
    assert_member(
        "{\"v\":\"\xf4\x8f\xbf\xbf \xed\x9f\xbf\"}", /* the last ones before invalid ones */
        td_put_text(&w, "v", "\xf4\x8f\xbf\xbf \xed\x9f\xbf"));
    assert_member("{\"v\":null}", td_put_text(&w, "v", ""));
    assert_member("{\"v\":null}", td_put_text(&w, "v", NULL));
}

TEST(objects_open_and_close_by_the_paths_of_their_members)
{
    td_text text = {0};
    td_writer w = td_writer_open(&text, TD_JSON_DOCUMENT);
    td_section(&w, "a.b", true);
    td_put_u64(&w, "one", 1);
    td_section(&w, "a.bc", true);
    td_put_u64(&w, "two", 2);
    td_section(&w, "a.no", false);
    td_put_u64(&w, "dropped", 4);
    td_section(&w, "a", true);
    td_put_u64(&w, "three", 3);
    td_section(&w, "d", false);
    td_section(&w, "e", true);
    td_section(&w, "f", true);
    td_put_maybe(&w, "five", 1);
    td_section(&w, "", true);
    td_put_maybe(&w, "six", -1);
    td_section(&w, "g", true);
    td_writer_close(&w);
    assert_string_equal(text.data,
                        "\"a\": {\"b\":{\"one\":1},\"bc\":{\"two\":2},\"no\":null,\"three\":3},\n"
                        " \"d\": null,\n \"e\": {},\n \"f\": {\"five\":true},\n \"six\": null,\n"
                        " \"g\": {}");
    td_text_free(&text);
}

static void put_row(td_writer *w)
{
    static const char *const formulas[] = {"=1+1", "+1+1", "-1+1", "@SUM", "\t=1", "'=1"};
    td_put_text(w, "plain", "a b");
    td_section(w, "o.p", true);
    td_put_text(w, "quoted", "say \"no\",\ntwice");
    td_section(w, "o", true);
    for (size_t i = 0; i < COUNT(formulas); i++) {
        td_put_text(w, "f", formulas[i]);
    }
    td_put_text(w, "number", "-5");
    td_put_u64(w, "large", UINT64_MAX);
    td_put_double(w, "nan", NAN);
    td_section(w, "none", false);
    td_put_bool(w, "flag", true);
    td_section(w, "", true);
    td_put_interval(w, "ci95", (td_interval){true, 1, 2.5});
    td_put_interval(w, "wide", (td_interval){0});
    td_put_dim3(w, "block", (td_dim3){8, 4, 1});
    td_put_doubles(w, "ms", (const double[]){0.5, 2}, 2);
    td_writer_close(w);
}

TEST(a_row_of_csv_has_a_field_for_each_column)
{
    td_text text = {0};
    td_writer names = td_writer_open(&text, TD_CSV_NAMES), row = names;
    names.prefix = "in.";
    put_row(&names);
    row.writing = TD_CSV_ROW;
    put_row(&row);
    assert_string_equal(
        text.data,
        "in.plain,in.o.p.quoted,in.o.f,in.o.f,in.o.f,in.o.f,in.o.f,in.o.f,in.o.number,in.o.large,"
        "in.o.nan,in.none.flag,"
        "in.ci95.low,in.ci95.high,in.wide.low,in.wide.high,in.block.x,in.block.y,in.block.z,in.ms\n"
        "a b,\"say "
        "\"\"no\"\",\ntwice\",'=1+1,'+1+1,'-1+1,'@SUM,'\t=1,''=1,-5,18446744073709551615,,,1,2.5,,,"
        "8,4,1,0.5 2\n");
    td_text_free(&text);
}
